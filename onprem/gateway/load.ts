import { readFile } from 'node:fs/promises';
import { KeyList, loadSigningKey, type SigningKey } from '../../shared/adapters/signing/keys.ts';
import type { Tls } from '../../shared/adapters/http/listen.ts';
import { controlledResourcesOf, type ControllerConfig } from '../../shared/config/derive.ts';
import { parseDuration } from '../../shared/config/duration.ts';
import { FileFaults } from '../../shared/config/fault.ts';
import { toMap } from '../../shared/config/raw.ts';
import { beside, readWithResources } from '../../shared/config/read-with-resources.ts';
import type { RelayOptions } from '../relay-client.ts';
import { gatewayFile, wholeGateway, type GatewayFile } from './config.ts';

/** A gateway file with what its files hold. */
export interface LoadedGateway {
  readonly file: GatewayFile;
  readonly controllerConfig: ControllerConfig;
  readonly directory: string;
  /** Reads the key list, again at each call. Rejects with `FileUnusable`. */
  readonly readCallers: () => Promise<KeyList>;
  readonly demand?: { readonly url: string; readonly key: SigningKey };
  readonly pull?: RelayOptions;
  readonly tls?: Tls;
}

/** A file that the gateway file names can't be read, or doesn't hold what it should. */
export class FileUnusable extends Error {
  override readonly name = 'FileUnusable';
  readonly file: string;

  constructor(what: string, file: string, cause: unknown) {
    const fault = cause instanceof Error ? cause.message : String(cause);
    super(`reading ${what} ${file}: ${fault}; correct the file, or its path in the gateway file`, { cause });
    this.file = file;
  }
}

/** Throws `FileFaults`, `FileUnusable`. */
export async function loadGatewayFile(path: string): Promise<LoadedGateway> {
  const { settings, written, faults } = await readWithResources(path, { own: gatewayFile, whole: wholeGateway });
  const halfTls = oddOneOut(written['listen']);
  if (halfTls !== undefined) {
    faults.push(settings.fault(['listen', halfTls], 'it alone', 'certificate and key, both or neither', 'key'));
  }
  if (isWithoutPause(written['pull'])) {
    faults.push(settings.fault(['pull', 'wait'], '0s', 'more, or a pause: every: 1s'));
  }
  if (faults.length > 0) throw new FileFaults('gateway file', path, faults);

  const file = wholeGateway.parse(written);
  const { certificate, key } = file.listen;
  const privateKey = (name: string) =>
    reading('the key', beside(path, name), async (text) => loadSigningKey(JSON.parse(text)));
  const callers = beside(path, file.callers);
  return {
    file,
    controllerConfig: { site: file.site, backfill: true, resources: controlledResourcesOf(file) },
    directory: beside(path, file.data),
    readCallers: () => reading('the key list', callers, async (text) => KeyList.parse(JSON.parse(text))),
    ...(file.demand && { demand: { url: file.demand.url, key: await privateKey(file.demand.key) } }),
    ...(file.pull && {
      pull: {
        url: file.pull.url,
        key: await privateKey(file.pull.key),
        waitSeconds: parseDuration(file.pull.wait),
        everySeconds: parseDuration(file.pull.every),
      },
    }),
    ...(certificate !== undefined &&
      key !== undefined && {
        tls: {
          certificate: await reading('the certificate', beside(path, certificate), async (text) => text),
          key: await reading("the certificate's key", beside(path, key), async (text) => text),
        },
      }),
  };
}

function oddOneOut(listen: unknown): 'certificate' | 'key' | undefined {
  if (typeof listen !== 'object' || listen === null) return undefined;
  if ('certificate' in listen === 'key' in listen) return undefined;
  return 'certificate' in listen ? 'certificate' : 'key';
}

/** It would ask the site again and again without a breath. */
function isWithoutPause(pull: unknown): boolean {
  const { wait, every = '0s' } = toMap(pull);
  return wait === '0s' && every === '0s';
}

async function reading<T>(what: string, file: string, read: (text: string) => Promise<T>): Promise<T> {
  try {
    return await read(await readFile(file, 'utf8'));
  } catch (cause) {
    // What the parser of JSON says quotes the file, which may hold a private key.
    throw new FileUnusable(what, file, cause instanceof SyntaxError ? 'it is not JSON' : cause);
  }
}
