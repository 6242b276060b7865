from workflow.deepnets.engine.cutoff import skip_current
from workflow.deepnets.engine.slurm import cancel_submitted
from workflow.deepnets.engine.startup import check_machine, check_shell_commands, stop_polling

# After the rules.
check_shell_commands(workflow)


# Not in a dry run, which needs neither cluster nor GPU.
onstart:
    check_machine(workflow, jobs)
    stop_polling(workflow)
    skip_current(workflow, jobs.current)


onerror:
    cancel_submitted(workflow)
