rule judge:
    input:
        inputs_of(LEDGER),
    output:
        LEDGER,
    log:
        "results/logs/judge/{document}.log",
    benchmark:
        "results/benchmarks/judge/{document}.tsv"
    conda:
        "../../envs/deepnets.yaml"
    params:
        spec=spec_of(LEDGER),
        code=code_of(LEDGER),
        inputs=inputs_param_of(LEDGER),
    message:
        "Judging the claims of {wildcards.document}."
    shell:
        "python -E -s -X utf8 -m workflow.deepnets.jobs judge --spec {params.spec:q} --code {params.code:q}"
        " --tables {input:q} --output {output:q} 2> {log:q}"


rule ledger:
    input:
        inputs_of(CLAIMS),
    output:
        CLAIMS,
    log:
        "results/logs/ledger.log",
    benchmark:
        "results/benchmarks/ledger.tsv"
    conda:
        "../../envs/deepnets.yaml"
    params:
        spec=spec_of(CLAIMS),
        code=code_of(CLAIMS),
        inputs=inputs_param_of(CLAIMS),
    message:
        "Listing all claims with their verdicts."
    shell:
        "python -E -s -X utf8 -m workflow.deepnets.jobs ledger --spec {params.spec:q} --code {params.code:q}"
        " --ledgers {input:q} --output {output:q} 2> {log:q}"


rule verdicts:
    input:
        CLAIMS,
    log:
        "results/logs/verdicts.log",
    conda:
        "../../envs/deepnets.yaml"
    message:
        "Comparing the verdicts with those recorded in the documents' folders."
    shell:
        "python -E -s -X utf8 -m workflow.deepnets.tools.verdicts 2>&1 | tee {log:q}"
