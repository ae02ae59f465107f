"""Slurm's commands for tests, without a cluster: sbatch runs each task at once, on this machine.

A folder `bin` holds sbatch, squeue, scancel, sacct and scontrol; settings.json says what goes
wrong:
  hold: [index]     stays pending until scancel
  lose: [index]     ends with its node: nothing is run
  requeue: [index]  the node is lost in the middle, then the task is started again
  refuse: text      sbatch's error message
  mute: n           squeue fails n times
  devices: text     CUDA_VISIBLE_DEVICES of each task, else 0
  accounting: 1     sacct knows the tasks; else only scontrol does
"""

import json
import os
import pathlib
import subprocess
import sys

PROGRAM = """#!{python} -IS
import sys
sys.path.insert(0, {modules!r})
import fake_slurm
sys.exit(fake_slurm.main({folder!r}, {name!r}, sys.argv[1:]))
"""
NAMES = ("sbatch", "squeue", "scancel", "sacct", "scontrol")


class FakeSlurm:
    def __init__(self, folder: pathlib.Path, **settings: object) -> None:
        self.folder = folder
        (folder / "bin").mkdir(parents=True)
        self.set(**settings)
        (folder / "state.json").write_text('{"jobs": 0, "tasks": []}')
        for name in NAMES:
            program = folder / "bin" / name
            program.write_text(PROGRAM.format(
                python=sys.executable, modules=str(pathlib.Path(__file__).resolve().parent),
                folder=str(folder), name=name))
            program.chmod(0o755)

    def set(self, **settings: object) -> None:
        (self.folder / "settings.json").write_text(json.dumps(settings))

    def environment(self) -> dict[str, str]:
        return {**os.environ, "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}"}

    @property
    def calls(self) -> list[list[str]]:
        """Those that change something, with their options."""
        log = self.folder / "calls"
        return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []


def main(folder_name: str, program: str, options: list[str]) -> int:
    folder = pathlib.Path(folder_name)
    settings = json.loads((folder / "settings.json").read_text())
    state = json.loads((folder / "state.json").read_text())
    given = dict(option.split("=", 1) for option in options if "=" in option)
    if program in ("sbatch", "scancel"):
        with (folder / "calls").open("a") as log:
            log.write(json.dumps([program, *options]) + "\n")
    if program == "sbatch":
        return sbatch(folder, settings, state, given)
    if program == "squeue":
        return squeue(folder, settings, state, given["--name"].split(","))
    if program == "scancel":
        for task in state["tasks"]:
            if task["name"] == given["--name"] and task["state"] == "PENDING":
                task["state"] = "CANCELLED"
        save(folder, state)
        return 0
    if program == "sacct" and "accounting" not in settings:
        print("Slurm accounting storage is disabled", file=sys.stderr)
        return 1
    job, index = (given["--jobs"] if program == "sacct" else options[-1]).split("_")
    task = next(t for t in state["tasks"] if (t["job"], t["index"]) == (int(job), int(index)))
    print(f"{task['state']}|{task['code']}:0|n{index}" if program == "sacct" else
          f"JobId=7 ArrayJobId={job} JobState={task['state']} ExitCode={task['code']}:0 "
          f"NodeList=n{index}")
    return 0


def save(folder: pathlib.Path, state: dict) -> None:
    (folder / "state.json").write_text(json.dumps(state))


def squeue(folder: pathlib.Path, settings: dict, state: dict, names: list[str]) -> int:
    if state.setdefault("muted", 0) < settings.get("mute", 0):
        state["muted"] += 1
        save(folder, state)
        print("squeue: error: Unable to contact slurm controller", file=sys.stderr)
        return 1
    for task in state["tasks"]:
        if task["name"] in names and task["state"] == "PENDING":
            print(f"{task['job']}|{task['index']}|PENDING|JobHeldUser|")
    return 0


def sbatch(folder: pathlib.Path, settings: dict, state: dict, given: dict[str, str]) -> int:
    if "refuse" in settings:
        print(f"sbatch: error: {settings['refuse']}", file=sys.stderr)
        return 1
    state["jobs"] += 1
    job = state["jobs"]
    script = sys.stdin.read()
    for index in range(int(given["--array"].split("-")[1]) + 1):
        task = {"job": job, "index": index, "name": given["--job-name"], "code": 0,
                "state": "COMPLETED"}
        state["tasks"].append(task)
        save(folder, state)
        if index in settings.get("hold", []):
            task["state"] = "PENDING"
        elif index in settings.get("lose", []):
            task["state"] = "NODE_FAIL"
        else:
            log = given["--output"].replace("%A", str(job)).replace("%a", str(index))
            for restart in range(1 + (index in settings.get("requeue", []))):
                task["code"] = start(script, log.replace("%%", "%"), job, index, restart, settings)
            task["state"] = "FAILED" if task["code"] else "COMPLETED"
    save(folder, state)
    print(job)
    return 0


def start(script: str, log: str, job: int, index: int, restart: int, settings: dict) -> int:
    environment = {**os.environ, "SLURM_ARRAY_JOB_ID": str(job),
                   "SLURM_JOB_ID": str(100 * job + index), "SLURM_ARRAY_TASK_ID": str(index)}
    if restart:
        environment["SLURM_RESTART_COUNT"] = str(restart)
    environment["CUDA_VISIBLE_DEVICES"] = settings.get("devices", "0")
    with open(log, "a") as output:
        ended = subprocess.run(["/bin/sh", "-s"], input=script, env=environment, stdout=output,
                               stderr=output, text=True, check=False)
    if index in settings.get("requeue", []) and restart == 0:
        submission = script.split("submission-")[1].split(".json")[0]
        run = pathlib.Path(log).parent.parent
        (run / "attempts" / f"{submission}.{index}.0" / "done.json").unlink()
    return ended.returncode
