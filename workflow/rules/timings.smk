rule timings:
    input:
        every_result,
    output:
        parquet=TIMINGS,
        markdown="results/timings.md",
    log:
        "results/logs/timings.log",
    conda:
        "../../envs/deepnets.yaml"
    params:
        spec=inventory,
        argument=argument_of(inventory),
        code=plan.program_code("timings"),
    message:
        "Gathering what the jobs cost."
    # Costs stand in logs and benchmarks, which are no results: what made them new made the results new.
    shell:
        "python -E -s -X utf8 -m workflow.deepnets.jobs timings --spec {params.argument:q} --code {params.code:q}"
        " --parquet {output.parquet:q} --markdown {output.markdown:q} 2> {log:q}"
