rule reach_of_document:
    "How far the verdicts on the claims of one document reach: runs with one setting changed."
    input:
        jobs.every_dataset,
    output:
        "results/reach/{document}.csv",
    log:
        "results/logs/reach/{document}.log",
    benchmark:
        "results/benchmarks/reach/{document}.tsv"
    conda:
        "../envs/deepnets.yaml"
    message:
        "Changing the settings of the claims of {wildcards.document}, one at a time."
    shell:
        "python -X utf8 -m reproduce.tools.reach {wildcards.document} > {output:q} 2> {log:q}"


rule reach:
    "How far all verdicts reach, made on request."
    input:
        expand("results/reach/{document}.csv", document=jobs.judged),
