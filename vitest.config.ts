import { defineConfig } from 'vitest/config';

/** Tests of a real scheduler, which take minutes each: `npm run test:schedulers`. */
export const onSchedulers = ['test/**/real/**/*.test.ts', 'test/slurm-lab/**/*.test.ts'];

export const settings = {
  testTimeout: 60_000,
  hookTimeout: 60_000,
  // The SDK's version is pinned; its notice about coming versions is for whoever raises it.
  env: { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' },
};

export default defineConfig({
  test: { ...settings, include: ['test/**/*.test.ts'], exclude: onSchedulers },
});
