import { mkdir, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { freePorts } from './free-ports.ts';
import type { SlurmLabOptions } from './options.ts';

/** Where a lab's files are. */
export interface LabFiles {
  readonly directory: string;
  readonly slurmConf: string;
  readonly mungeKey: string;
  readonly mungeSocket: string;
  readonly database: string;
  readonly databaseSocket: string;
}

/** The name of the lab's cluster, in slurmdbd too. */
export const cluster = 'lab';

/** For making the database and for running it: it takes 20 MB of room, not 110. */
export const databaseLogSize = '--innodb-log-file-size=4M';

export function filesIn(directory: string): LabFiles {
  return {
    directory,
    slurmConf: join(directory, 'slurm.conf'),
    mungeKey: join(directory, 'munge.key'),
    mungeSocket: join(directory, 'munge.sock'),
    database: join(directory, 'database'),
    databaseSocket: join(directory, 'database.sock'),
  };
}

/** Makes the files that the daemons read and the directories that they write to. */
export async function writeConfiguration(files: LabFiles, options: SlurmLabOptions): Promise<void> {
  const [controllerPort = 0, accountingPort = 0, ...nodePorts] = await freePorts(2 + options.nodes);
  await mkdir(join(files.directory, 'state'));
  for (const node of nodeNames(options)) await mkdir(join(files.directory, node));
  await writeFile(files.slurmConf, slurmConf(files, options, { controllerPort, accountingPort, nodePorts }));
  // slurmdbd refuses a file that others may read, and looks for it beside slurm.conf.
  await writeFile(join(files.directory, 'slurmdbd.conf'), slurmdbdConf(files, accountingPort), { mode: 0o600 });
}

export function nodeNames({ nodes }: SlurmLabOptions): readonly string[] {
  return Array.from({ length: nodes }, (_, index) => `n${index + 1}`);
}

interface Ports {
  readonly controllerPort: number;
  readonly accountingPort: number;
  readonly nodePorts: readonly number[];
}

function slurmConf({ directory, mungeSocket }: LabFiles, options: SlurmLabOptions, ports: Ports): string {
  // slurmctld only starts on the host that is named, by the first part of its name; the address need not be in any DNS.
  const host = hostname().split('.')[0];
  const nodes = nodeNames(options).map(
    (name, index) =>
      `NodeName=${name} NodeHostname=${host} NodeAddr=127.0.0.1 Port=${ports.nodePorts[index]} CPUs=${options.cpusPerNode}`,
  );
  const recorded = options.recordLicences ? Object.keys(options.licences).map((name) => `license/${name}`) : [];
  return `ClusterName=${cluster}
SlurmctldHost=${host}(127.0.0.1)
SlurmctldPort=${ports.controllerPort}
SlurmctldPidFile=${directory}/slurmctld.pid
StateSaveLocation=${directory}/state
SlurmdPidFile=${directory}/slurmd.%n.pid
SlurmdSpoolDir=${directory}/%n
SlurmUser=root

# A munged of the lab's own; towards slurmdbd its socket is named a second time.
AuthType=auth/munge
AuthInfo=socket=${mungeSocket}
AccountingStoragePass=socket=${mungeSocket}

AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=127.0.0.1
AccountingStoragePort=${ports.accountingPort}
${recorded.length > 0 ? `AccountingStorageTRES=${recorded.join(',')}` : ''}

# Nothing that needs cgroups, PAM, MPI or mail.
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
MailProg=/bin/true

SchedulerType=sched/backfill
SchedulerParameters=${options.schedulerParameters}
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MinJobAge=${options.endedJobSeconds}
KillWait=1
ReturnToService=2

# A node may claim more CPUs than the machine has.
SlurmdParameters=config_overrides
${nodes.join('\n')}
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
`;
}

/** The database is reached through a socket, whose path comes by `MYSQL_UNIX_PORT`, as root, who needs no password there. */
function slurmdbdConf({ directory, mungeSocket }: LabFiles, port: number): string {
  return `AuthType=auth/munge
AuthInfo=socket=${mungeSocket}
DbdHost=localhost
DbdAddr=127.0.0.1
DbdPort=${port}
PidFile=${directory}/slurmdbd.pid
SlurmUser=root
StorageType=accounting_storage/mysql
StorageHost=localhost
StorageUser=root
`;
}
