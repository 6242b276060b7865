rule fetch:
    output:
        "results/data/mnist.npz",
    log:
        "results/logs/fetch.log",
    benchmark:
        "results/benchmarks/fetch.tsv"
    conda:
        "../../envs/deepnets.yaml"
    params:
        spec=plan.data_spec("mnist"),
        code=plan.program_code("fetch"),
    message:
        "Fetching MNIST."
    shell:
        "python -m workflow.deepnets.fetch --spec {params.spec:q} --code {params.code:q}"
        " --output {output:q} 2>&1 | tee {log:q}"


rule whiten:
    input:
        "results/data/mnist.npz",
    output:
        "results/data/whitened.npz",
    log:
        "results/logs/whiten.log",
    benchmark:
        "results/benchmarks/whiten.tsv"
    conda:
        "../../envs/deepnets.yaml"
    params:
        spec=plan.data_spec("whitening"),
        code=plan.program_code("whiten"),
    message:
        "Whitening the first principal components of MNIST."
    shell:
        "python -m workflow.deepnets.whiten --spec {params.spec:q} --code {params.code:q}"
        " --mnist {input:q} --output {output:q} 2> {log:q}"
