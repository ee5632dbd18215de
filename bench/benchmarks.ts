import type { Benchmark } from './benchmark.ts';
import { cost } from './cost.ts';
import { decide } from './decide.ts';
import { idle } from './idle.ts';
import { latency } from './latency.ts';
import { poolRace } from './pool-race.ts';
import { simulate } from './simulate.ts';
import { slurm } from './slurm.ts';
import { slurmLoad } from './slurm-load.ts';
import { start } from './start.ts';
import { synth } from './synth.ts';
import { year } from './year.ts';

export const benchmarks: readonly Benchmark[] = [
  simulate,
  idle,
  cost,
  latency,
  decide,
  poolRace,
  year,
  start,
  synth,
  slurm,
  slurmLoad,
];
