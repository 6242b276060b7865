"""Refuse rules and settings of the shell that could change a result, but that no stamp contains."""

from collections.abc import Iterable

from snakemake.exceptions import WorkflowError

from reproduce.engine.snakemake_internals import Workflow, changed_shell

# With the log in a file, or in a file and on the screen.
_SHELL_COMMANDS = ("{params.command} 2> {log:q}", "{params.command} 2>&1 | tee {log:q}")
_PARAMS = ("spec", "code", "inputs", "command")


def check_commands(workflow: Workflow, results: Iterable[str], maker: str) -> None:
    """Raise WorkflowError if a rule or the shell could make another result than the stamp says.

    The shell command of a job must contain only its param `command`, and there must be no other param. Snakemake does
    not compare shell commands (profiles/default), so another option would make no result stale. The fingerprint covers
    the code of the param. Snakemake compares params, but no stamp contains another one.

    results: the paths that the config plans; no rule of another author may make them
    maker: the module that makes the param `command`
    """
    if changed := changed_shell():
        raise WorkflowError(
            f"{changed}: no stamp contains the shell; delete this line, and set variables in the experiment"
        )
    for rule in workflow.rules:
        params = dict(rule.params.items())
        if "command" not in params:
            if rule.output and (path := _first_match(rule, results)):
                raise WorkflowError(
                    f"rule {rule.name}: could make {path}, which a rule of this workflow makes; write to another folder"
                )
            continue
        if others := sorted(params.keys() - {*_PARAMS}):
            raise WorkflowError(
                f"rule {rule.name}: no stamp contains the param {', '.join(others)}; allowed: {', '.join(_PARAMS)}; "
                "write settings in config.yaml"
            )
        command = params["command"]
        # The rule from which the others inherit has none.
        if command != "" and getattr(command, "__module__", "") != maker:
            raise WorkflowError(f"rule {rule.name}: allowed as its param command: jobs.command(…)")
        if " ".join((rule.shellcmd or "").split()) not in _SHELL_COMMANDS:
            raise WorkflowError(
                f"rule {rule.name}: allowed as its shell command: {' or '.join(_SHELL_COMMANDS)}; write other options "
                "in workflow/reproduce/records/command.py"
            )


def _first_match(rule, results: Iterable[str]) -> str | None:
    """Return the first result that an output of a rule matches, with its own wildcards."""
    return next((path for path in results if any(output.match(path) for output in rule.output)), None)
