use rule job as judge with:
    "The verdicts on the claims of one document, from its tables."
    input:
        statements=local(ancient(jobs.inputs(LEDGER, sources=True))),
        tables=jobs.inputs(LEDGER),
    output:
        "results/claims/{document}.parquet",
        record="results/records/claims/{document}.json",
    log:
        "results/logs/judge/{document}.log",
    benchmark:
        "results/benchmarks/judge/{document}.tsv"
    group:
        jobs.bundle_of_drawing
    params:
        **jobs.params("judge", LEDGER),
    message:
        "Judging the claims of {wildcards.document}."


use rule job as list_claims with:
    "The list of all claims."
    input:
        ledgers=jobs.inputs(CLAIM_LIST),
        template=local(ancient(jobs.inputs(CLAIM_LIST, sources=True))),
    output:
        "results/claims.md",
        record="results/records/claims.json",
    log:
        "results/logs/list_claims.log",
    benchmark:
        "results/benchmarks/list_claims.tsv"
    params:
        **jobs.params("list_claims", CLAIM_LIST),
    message:
        "Listing all claims with their verdicts."


rule verdicts:
    "Whether the verdicts equal those on record."
    input:
        "results/claims.md",
    log:
        "results/logs/verdicts.log",
    # On a cluster too, the screen shows the differences.
    localrule: True
    conda:
        "../envs/deepnets.yaml"
    message:
        "Comparing the verdicts with those on record."
    shell:
        "python -X utf8 -m reproduce.tools.verdicts 2>&1 | tee {log:q}"
