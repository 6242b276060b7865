# Print whether a Slurm job is running, a success or failed. Snakemake asks for one job after another.

# Ctrl-C reaches this script too; Snakemake itself then cancels the jobs.
trap '' INT
log=results/logs/slurm/$1.log
# The answer of squeue for all jobs, which is asked once for all.
list=.snakemake/slurm_jobs

ask_slurm() {
    state=
    if [ -n "$(find "$list" -newermt '-10 seconds' 2> /dev/null)" ]; then
        state=$(sed -n "s/^$1 //p" "$list")
    fi
    # A job that was submitted after the list was made, or that Slurm has forgotten, is not on it.
    [ -n "$state" ] && return
    if squeue --me --states=all --noheader --format='%i %T' > "$list.new"; then
        mv "$list.new" "$list"
        state=$(sed -n "s/^$1 //p" "$list")
    else
        # Slurm's controller does not answer; jobs run on without it. Ask again in the next round.
        touch -c "$list"
        state=UNKNOWN
    fi
}

read_log() {
    case $(tail -n 1 "$log" 2> /dev/null | grep -x 'exit status [0-9]*') in
    "exit status 0") state=COMPLETED ;;
    ?*) state=FAILED ;;
    *) return 1 ;;
    esac
}

# Of a script that was killed, only Slurm knows whether it runs again: preempted, requeued, or on a node that failed.
read_log && [ "$state" = COMPLETED ] || ask_slurm "$1"
# A job may end while Slurm is asked, and a controller that was away may have forgotten it.
[ -n "$state" ] || read_log
# Where Slurm cancels a preempted job, put it back: a retry of Snakemake would request more, and be one of few.
if [ "$state" = PREEMPTED ] && scontrol requeue "$1" >&2; then
    sed -i "/^$1 /d" "$list"
    state=PENDING
fi
case ${state:-FORGOTTEN} in
COMPLETED)
    rm -f "$log"
    echo success
    ;;
BOOT_FAIL | CANCELLED | DEADLINE | FAILED | FORGOTTEN | NODE_FAIL | OUT_OF_MEMORY | PREEMPTED | REVOKED | TIMEOUT)
    echo "Slurm's job $1 ended: ${state:-forgotten}. The last lines of $log:" >&2
    tail -n 5 "$log" >&2
    # Repeated at the end (workflow/reproduce/engine/slurm.py).
    echo "$1 ${state:-forgotten}" >> .snakemake/slurm_failed
    echo failed
    ;;
*) echo running ;;
esac
