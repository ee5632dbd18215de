import type { Benchmark } from './benchmark.ts';
import { decide } from './decide.ts';
import { idle } from './idle.ts';
import { latency } from './latency.ts';
import { poolRace } from './pool-race.ts';
import { simulate } from './simulate.ts';
import { start } from './start.ts';
import { year } from './year.ts';

export const benchmarks: readonly Benchmark[] = [simulate, idle, latency, decide, poolRace, year, start];
