rule archive:
    input:
        every_result,
    output:
        ARCHIVE,
    log:
        "results/logs/archive.log",
    benchmark:
        "results/benchmarks/archive.tsv"
    conda:
        "../../envs/deepnets.yaml"
    params:
        spec=contents_of_archive,
        argument=argument_of(contents_of_archive),
        code=plan.program_code("archive"),
        inputs=all_inputs_param,
    message:
        "Packing all results, with a description of each."
    shell:
        "python -E -s -X utf8 -m workflow.deepnets.jobs archive --spec {params.argument:q} --code {params.code:q}"
        " --output {output:q} 2> {log:q}"
