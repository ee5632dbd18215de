import { once } from 'node:events';
import { dirname } from 'node:path';
import type { Command } from 'commander';
import { loadGatewayFile } from '../../onprem/gateway/load.ts';
import { newScheduler } from '../../onprem/gateway/new-scheduler.ts';
import { startGateway } from '../../onprem/gateway/server.ts';
import { JsonLog } from '../../shared/adapters/json-log.ts';
import { systemClock } from '../../shared/adapters/system-clock.ts';
import { parseDuration } from '../../shared/config/duration.ts';

/** Adds `gateway`. */
export function registerGateway(program: Command): void {
  program
    .command('gateway')
    .description("offer a scheduler of this host's cluster to the site: its demand, and its totals to change")
    .requiredOption('--config <file>', 'the gateway file')
    .action(run);
}

async function run({ config: path }: { config: string }): Promise<void> {
  const { file, controllerConfig, directory, readCallers, demand, pull, tls } = await loadGatewayFile(path);
  const log = new JsonLog((line) => process.stdout.write(`${line}\n`));
  let keys = await readCallers();
  const readAgain = async (): Promise<void> => {
    try {
      keys = await readCallers();
      log.info('the key list was read again', { keys: keys.keys.length });
    } catch (error) {
      log.alarm('keys-not-read', `${String(error)}; the former list goes on`);
    }
  };
  const reload = (): void => void readAgain();
  process.on('SIGHUP', reload);
  const scheduler = await newScheduler(file.scheduler, {
    config: controllerConfig,
    directory: dirname(path),
    clock: systemClock,
    log,
  });
  const { host, port } = file.listen;
  const gateway = await startGateway({
    config: controllerConfig,
    scheduler,
    keys: () => keys,
    directory,
    host,
    port,
    ...(tls && { tls }),
    clock: systemClock,
    log,
    lookEverySeconds: parseDuration(file.lookEvery),
    ...(demand && { demand: { url: () => demand.url, key: demand.key } }),
    ...(pull && { pull }),
  });
  log.info(`${file.site}: the gateway listens on ${gateway.url}`, { site: file.site, url: gateway.url });
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  await gateway.close();
  process.off('SIGHUP', reload);
  log.info('the gateway has stopped');
}
