rule train:
    input:
        run_data,
    output:
        "results/runs/experiment={experiment}/{axes}/run.parquet",
    log:
        "results/logs/train/experiment={experiment}/{axes}.log",
    benchmark:
        "results/benchmarks/train/experiment={experiment}/{axes}.tsv"
    conda:
        "../../envs/deepnets.yaml"
    params:
        spec=run_spec,
        code=run_code,
    message:
        "Running {wildcards.experiment}: {wildcards.axes}."
    shell:
        "python -m workflow.deepnets.train --spec {params.spec:q} --code {params.code:q}"
        " --data {input:q} --output {output:q} 2> {log:q}"
