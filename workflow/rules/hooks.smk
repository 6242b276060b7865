from reproduce.engine.closing import print_end
from reproduce.engine.persistence import skip_current
from reproduce.engine.slurm import cancel_submitted, print_failures
from reproduce.engine.startup import check_machine, check_targets

# Included last, because this line reads the rules.
check_targets(workflow, jobs)


# Snakemake does not call this function in a dry run, which needs neither a cluster nor a GPU.
onstart:
    check_machine(workflow, jobs)
    skip_current(workflow, jobs.is_current)


onsuccess:
    # Imported here because it imports NumPy, which no plan needs.
    from reproduce.tools.verdicts import compare_with_recorded

    print_end(workflow, jobs, compare_with_recorded)


onerror:
    cancel_submitted(workflow)
    print_failures(workflow)
