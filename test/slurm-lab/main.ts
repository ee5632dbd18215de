import { startSlurmLab } from './lab.ts';
import { defaultOptions } from './options.ts';

console.log('Starting a Slurm in a temporary directory; it takes some seconds.');
const { environment } = await startSlurmLab();
const licences = Object.entries(defaultOptions.licences).map(([name, total]) => `${total} of ${name}`);
console.log(`It runs, with a total of ${licences.join(', ')}. To speak to it, enter in other shells:

  export SLURM_CONF=${environment.SLURM_CONF}
  sbatch --licenses=vcs_runtime@flex1:4 --wrap='sleep 60'; squeue; scontrol show licenses

Ctrl-C ends it and its jobs, and removes its files.`);
