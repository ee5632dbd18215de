import { defineConfig } from 'vitest/config';
import { onSchedulers, settings } from './vitest.config.ts';

export default defineConfig({ test: { ...settings, include: onSchedulers } });
