rule fetch:
    output:
        MNIST,
    log:
        "results/logs/fetch.log",
    benchmark:
        "results/benchmarks/fetch.tsv"
    conda:
        "../../envs/deepnets.yaml"
    params:
        spec=spec_of(MNIST),
        code=code_of(MNIST),
        inputs=inputs_param_of(MNIST),
    message:
        "Fetching MNIST."
    shell:
        "python -E -s -X utf8 -m workflow.deepnets.jobs fetch --spec {params.spec:q} --code {params.code:q}"
        " --output {output:q} 2>&1 | tee {log:q}"


rule whiten:
    input:
        inputs_of(WHITENED),
    output:
        WHITENED,
    log:
        "results/logs/whiten.log",
    benchmark:
        "results/benchmarks/whiten.tsv"
    conda:
        "../../envs/deepnets.yaml"
    params:
        spec=spec_of(WHITENED),
        code=code_of(WHITENED),
        inputs=inputs_param_of(WHITENED),
    message:
        "Whitening the first principal components of MNIST."
    shell:
        "python -E -s -X utf8 -m workflow.deepnets.jobs whiten --spec {params.spec:q} --code {params.code:q}"
        " --mnist {input:q} --output {output:q} 2> {log:q}"
