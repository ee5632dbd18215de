#!/usr/bin/env bash
# Starts a Grid Engine of one host, with 100 slots, on 127.0.0.1 and without systemd: a queue master and an execution
# daemon. Its state is below SGE_ROOT, an empty directory. The cluster has the consumables hfsshpc, 8, counted for each
# slot of a job, and hfss_solve, 4, counted once a job. Needs root and what install.sh installs.
set -euo pipefail
: "${SGE_ROOT:?an empty directory}" "${SGE_QMASTER_PORT:?a free port}" "${SGE_EXECD_PORT:?another}"
export SGE_CELL=default
host=$(hostname)
common=$SGE_ROOT/$SGE_CELL/common
spool=$SGE_ROOT/spool

mkdir -p "$common" "$spool"/{database,qmaster/job_scripts,execd}
ln -s /var/lib/gridengine/{bin,lib,util,utilbin} "$SGE_ROOT/"
echo "$host" >"$common/act_qmaster"
# 127.0.0.1 is called localhost where the host's name has no address of its own; this makes them one host.
echo "$host localhost" >"$common/host_aliases"
cat >"$common/bootstrap" <<END
admin_user              none
default_domain          none
ignore_fqdn             false
spooling_method         berkeleydb
spooling_lib            libspoolb
spooling_params         $spool/database
binary_path             /usr/sbin
qmaster_spool_dir       $spool/qmaster
security_mode           none
listener_threads        2
worker_threads          2
scheduler_threads       1
END
/usr/share/gridengine/scripts/init_cluster "$SGE_ROOT" "$SGE_CELL" "$spool/database" root >/dev/null

# Prints what a qconf command shows, with some of its values changed: changed OPTION NAME=VALUE...
changed() {
  local shown name
  shown=$(qconf "$1")
  for pair in "${@:2}"; do
    name=${pair%%=*}
    shown=$(sed "s|^$name  *.*|$name ${pair#*=}|" <<<"$shown")
  done
  echo "$shown"
}

sge_qmaster
until timeout 5 qconf -sh >/dev/null 2>&1; do sleep 0.1; done
cd "$spool"
changed -sconf execd_spool_dir="$spool/execd" min_uid=0 min_gid=0 mailer=/bin/true >global
qconf -Mconf global
changed -ssconf schedule_interval=0:0:1 job_load_adjustments=NONE schedd_job_info=true >scheduler
qconf -Msconf scheduler
{
  qconf -sc
  echo 'hfsshpc hfsshpc INT <= YES YES 0 0'
  echo 'hfss_solve hfss_solve INT <= YES JOB 0 0'
} >complexes
qconf -Mc complexes
qconf -mattr exechost complex_values hfsshpc=8,hfss_solve=4 global
qconf -as "$host"
cat >smp <<END
pe_name            smp
slots              999
user_lists         NONE
xuser_lists        NONE
start_proc_args    NONE
stop_proc_args     NONE
allocation_rule    \$pe_slots
control_slaves     FALSE
job_is_first_task  TRUE
urgency_slots      min
accounting_summary FALSE
qsort_args         NONE
END
qconf -Ap smp
sge_execd
until qconf -sel 2>/dev/null | grep -q .; do sleep 0.1; done
changed -sq qname=all.q hostlist="$host" slots=100 load_thresholds=NONE pe_list=smp shell=/bin/sh >queue
qconf -Aq queue
