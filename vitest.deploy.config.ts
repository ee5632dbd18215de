import { defineConfig } from 'vitest/config';
import { settings } from './vitest.config.ts';

/** The deploy that is carried out takes minutes: `npm run deploy-proof` brings what it needs, and runs it. */
export default defineConfig({ test: { ...settings, include: ['test/deploy/*.proof.ts'] } });
