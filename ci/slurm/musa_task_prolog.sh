#!/bin/sh
# A TaskProlog for nodes with Moore Threads GPUs: Slurm says which GPUs it gave in
# CUDA_VISIBLE_DEVICES, MUSA's runtime reads MUSA_VISIBLE_DEVICES. In slurm.conf:
# TaskProlog=/path/of/musa_task_prolog.sh (docs/slurm.md). Not tested on such a node yet.
[ -n "${CUDA_VISIBLE_DEVICES-}" ] && echo "export MUSA_VISIBLE_DEVICES=$CUDA_VISIBLE_DEVICES"
exit 0
