import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import packageFile from '../../package.json' with { type: 'json' };

it('npx esr runs the built command in the project', async () => {
  const { stdout } = await promisify(execFile)('npx', ['--no-install', 'esr', '--version']);
  expect(stdout).toBe(`${packageFile.version}\n`);
});
