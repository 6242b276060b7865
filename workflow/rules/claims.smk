use rule job as judge with:
    "The verdicts on the claims of one document, from its tables."
    input:
        statements=local(ancient(jobs.sources(LEDGER))),
        tables=jobs.inputs(LEDGER),
    output:
        "results/claims/{document}.parquet",
    log:
        "results/logs/judge/{document}.log",
    benchmark:
        "results/benchmarks/judge/{document}.tsv"
    params:
        spec=jobs.spec(LEDGER),
        code=jobs.code(LEDGER),
        inputs=jobs.digests(LEDGER),
        command=jobs.command("judge", LEDGER),
    message:
        "Judging the claims of {wildcards.document}."


use rule job as ledger with:
    "The list of all claims."
    input:
        ledgers=jobs.inputs(CLAIMS),
    output:
        "results/claims.md",
    log:
        "results/logs/ledger.log",
    benchmark:
        "results/benchmarks/ledger.tsv"
    params:
        spec=jobs.spec(CLAIMS),
        code=jobs.code(CLAIMS),
        inputs=jobs.digests(CLAIMS),
        command=jobs.command("ledger", CLAIMS),
    message:
        "Listing all claims with their verdicts."


rule verdicts:
    "Whether the verdicts equal those on record."
    input:
        "results/claims.md",
    log:
        "results/logs/verdicts.log",
    conda:
        "../envs/deepnets.yaml"
    message:
        "Comparing the verdicts with those on record."
    shell:
        "python -X utf8 -m reproduce.tools.verdicts 2>&1 | tee {log:q}"
