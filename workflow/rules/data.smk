# This rule also prints the progress of a download on the screen.
rule fetch:
    "MNIST."
    input:
        subset=local(ancient(jobs.sources(MNIST))),
    output:
        "results/data/mnist.npz",
    log:
        "results/logs/fetch.log",
    benchmark:
        "results/benchmarks/fetch.tsv"
    # High priority: the runs that take long need this file.
    priority: 2
    conda:
        "../envs/deepnets.yaml"
    params:
        **jobs.params("fetch", MNIST),
    message:
        "Fetching MNIST."
    shell:
        "{params.command} 2>&1 | tee {log:q}"


use rule job as whiten with:
    "The whitened principal components of MNIST."
    input:
        mnist="results/data/mnist.npz",
    output:
        "results/data/whitened.npz",
    log:
        "results/logs/whiten.log",
    benchmark:
        "results/benchmarks/whiten.tsv"
    params:
        **jobs.params("whiten", WHITENED),
    message:
        "Whitening the first principal components of MNIST."
