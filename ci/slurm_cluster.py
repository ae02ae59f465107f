"""A real Slurm for tests: munged, slurmctld and a slurmd for each of some nodes, all on loopback,
with ports, key and files of its own. A node's loss is noticed within seconds."""

import os
import pathlib
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time

# Debian has the daemons where only root's PATH looks.
PATH = os.environ.get("PATH", os.defpath) + ":/usr/sbin:/sbin"
PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "scontrol")
CONF = """ClusterName=zl-test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller_port}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket={folder}/munge.sock,cred_expire=10
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
SchedulerParameters=sched_interval=1,bf_interval=1,batch_sched_delay=0
ReturnToService=2
MpiDefault=none
SlurmdTimeout=6
KillWait=2
UnkillableStepTimeout=5
MessageTimeout=4
{nodes}
PartitionName=main Nodes=ALL Default=YES State=UP MaxTime=INFINITE
"""


def require_programs() -> None:
    """ci/setup.sh --all installs them: none is an error, not a skip."""
    missing = [name for name in PROGRAMS if shutil.which(name, path=PATH) is None]
    if missing:
        raise FileNotFoundError(f"{', '.join(missing)}: not installed: ci/setup.sh --all installs "
                                "slurmctld, slurmd, slurm-client and munge")


def free_ports(count: int) -> list[int]:
    sockets = [socket.socket() for _ in range(count)]
    try:
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]
    finally:
        for one in sockets:
            one.close()


class Cluster:
    """`environment` is for the programs that use it."""

    def __init__(self, nodes: int = 3, more: str = "") -> None:
        require_programs()
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="zl-slurm-"))
        self.nodes = [f"n{i}" for i in range(nodes)]
        self.environment = {**os.environ, "PATH": PATH,
                            "SLURM_CONF": str(self.folder / "slurm.conf")}
        self._daemons: list[subprocess.Popen] = []
        try:
            self._write(more)
            self._start()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> "Cluster":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _write(self, more: str) -> None:
        controller_port, *ports = free_ports(1 + len(self.nodes))
        host = socket.gethostname().split(".")[0]
        nodes = "\n".join(f"NodeName={node} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} "
                          "CPUs=2 RealMemory=500" for node, port in zip(self.nodes, ports))
        (self.folder / "slurm.conf").write_text(CONF.format(
            host=host, folder=self.folder, controller_port=controller_port, nodes=nodes,
            user=pwd.getpwuid(os.getuid()).pw_name) + more)
        for name in ("state", *(f"spool-{node}" for node in self.nodes)):
            (self.folder / name).mkdir()
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o600)

    def _start(self) -> None:
        munge = self.folder / "munge"
        self._daemon("munged", "--foreground", "--force", f"--key-file={munge}.key",
                     f"--socket={munge}.sock", f"--pid-file={munge}.pid",
                     f"--log-file={munge}.log", f"--seed-file={munge}.seed")
        self._until(lambda: pathlib.Path(f"{munge}.sock").exists(), "munged does not listen")
        self._daemon("slurmctld", "-D", "-c")
        for node in self.nodes:
            self.start_node(node)
        self._until(lambda: len(self.idle_nodes()) == len(self.nodes), "the nodes do not come up")

    def start_node(self, node: str) -> None:
        self._daemon("slurmd", "-D", "-N", node, ZL_TEST_NODE=node)

    def _daemon(self, *command: str, **environment: str) -> None:
        with open(self.folder / "daemons.log", "a") as log:
            self._daemons.append(subprocess.Popen(
                command, env={**self.environment, **environment}, stdin=subprocess.DEVNULL,
                stdout=log, stderr=log, cwd=self.folder, start_new_session=True))

    def run(self, *command: str) -> str:
        ran = subprocess.run(command, env=self.environment, capture_output=True, text=True,
                             timeout=60, check=False)
        return ran.stdout

    def idle_nodes(self) -> list[str]:
        listed = self.run("sinfo", "--noheader", "--Node", "--format=%N %T").split("\n")
        return [line.split()[0] for line in listed if line.endswith(" idle")]

    def _until(self, done, otherwise: str, limit_s: float = 30) -> None:
        end = time.monotonic() + limit_s
        while not done():
            if time.monotonic() > end:
                logs = "".join(f"{log.name}:\n{log.read_text(errors='replace')[-1500:]}\n"
                               for log in sorted(self.folder.glob("*.log")))
                raise RuntimeError(f"{otherwise}; {logs}")
            time.sleep(0.1)

    def lose_node(self, node: str) -> None:
        """As if its power failed: everything that runs there is gone at once."""
        self._kill(f"ZL_TEST_NODE={node}", f"SLURMD_NODENAME={node}")

    def _kill(self, *entries: str) -> None:
        """All processes of this cluster, or those that have one of `entries` in their environment.
        Slurm's step daemons and what they start are in sessions of their own."""
        mine = f"SLURM_CONF={self.folder}/slurm.conf"
        for _ in range(20):
            found = [pid for pid, known in environments() if mine in known
                     and (not entries or any(entry in known for entry in entries))]
            if not found:
                return
            for pid in found:
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            for daemon in self._daemons:
                daemon.poll()
            time.sleep(0.05)
        raise RuntimeError(f"processes {found} do not end")

    def close(self) -> None:
        for daemon in self._daemons:  # slurmctld then collects a child of its own
            daemon.terminate()
        for daemon in self._daemons:
            try:
                daemon.wait(timeout=3)
            except subprocess.TimeoutExpired:
                pass
        self._kill()
        for daemon in self._daemons:
            daemon.wait()
        shutil.rmtree(self.folder, ignore_errors=True)  # twice is once


def environments() -> list[tuple[int, list[str]]]:
    """Of all processes that may be looked at but this one."""
    found = []
    for folder in pathlib.Path("/proc").iterdir():
        if folder.name.isdecimal() and int(folder.name) != os.getpid():
            try:
                # A process that has ended and is not collected yet has none.
                text = (folder / "environ").read_bytes().decode(errors="replace")
            except OSError:
                continue
            found.append((int(folder.name), text.split("\0")))
    return found
