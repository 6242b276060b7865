rule train:
    input:
        inputs_of(RUN),
    output:
        RUN,
    log:
        "results/logs/train/experiment={experiment}/{axes}.log",
    benchmark:
        "results/benchmarks/train/experiment={experiment}/{axes}.tsv"
    group:
        bundle_of_run
    conda:
        "../../envs/deepnets.yaml"
    resources:
        gpu=gpus_of,
    params:
        spec=spec_of(RUN),
        code=code_of(RUN),
        inputs=inputs_param_of(RUN),
    message:
        "Running {wildcards.experiment}: {wildcards.axes}."
    shell:
        "python -E -s -X utf8 -m workflow.deepnets.jobs train --spec {params.spec:q} --code {params.code:q}"
        " --data {input:q} --output {output:q} 2> {log:q}"
