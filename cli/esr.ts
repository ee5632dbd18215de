import { Command } from 'commander';
import packageFile from '../package.json' with { type: 'json' };
import { registerCheck } from './commands/check.ts';
import { registerCost } from './commands/cost.ts';
import { registerFreeze } from './commands/freeze.ts';
import { registerGateway } from './commands/gateway.ts';
import { registerKeys } from './commands/keys.ts';
import { registerLocal } from './commands/local.ts';
import { registerReplay } from './commands/replay.ts';
import { registerSchema } from './commands/schema.ts';
import { registerSimulate } from './commands/simulate.ts';
import { registerTotals } from './commands/totals.ts';
import { registerTrace } from './commands/trace.ts';

// The SDK's version is pinned; its notice about coming versions is for whoever raises it.
process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';

const program = new Command('esr')
  .description('Elastic shared resources: borrow licence tokens when jobs wait, give them back when they are idle')
  .version(packageFile.version)
  .showHelpAfterError();
for (const register of [
  registerLocal,
  registerSimulate,
  registerReplay,
  registerTotals,
  registerTrace,
  registerFreeze,
  registerGateway,
  registerCheck,
  registerCost,
  registerSchema,
  registerKeys,
]) {
  register(program);
}

// The reader of our output may have seen enough, as in `esr ... | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

try {
  await program.parseAsync();
} catch (error) {
  // Every error says what was being done and how to mend it; the stack is for whoever works on this program.
  console.error(`esr: ${error instanceof Error ? error.message : String(error)}`);
  if (process.env['ESR_DEBUG'] !== undefined) console.error(error);
  process.exitCode = 1;
}
