import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FileUnusable, loadGatewayFile } from '../../../onprem/gateway/load.ts';
import { newKeyPair } from '../../../shared/adapters/signing/keys.ts';
import { FileFaults, formatFault } from '../../../shared/config/fault.ts';
import { siteFolder } from '../../config/site-folder.ts';

const resources = `resources:
  hfsshpc: { shared: true, total: 40, elastic: { providers: [burst], maxBorrowed: 96 } }
  aa_r: { shared: true, total: 4 }
`;
const sound = `site: austin
resources: resources.yaml
scheduler: { kind: slurm }
callers: callers.json
data: /var/lib/esr
`;

async function folder(gateway: string, more: Record<string, string> = {}): Promise<string> {
  const files = { 'gateway.yaml': gateway, 'resources.yaml': resources, 'callers.json': '{"keys":[]}', ...more };
  return join(await siteFolder(files), 'gateway.yaml');
}

async function load(gateway: string, more?: Record<string, string>) {
  return loadGatewayFile(await folder(gateway, more));
}

describe('a gateway file', () => {
  it('has the resources that the site file has, with their ceilings', async () => {
    expect((await load(sound)).controllerConfig).toMatchObject({
      site: 'austin',
      resources: [
        { name: 'aa_r', owned: 4, ceiling: 4, elastic: false },
        { name: 'hfsshpc', owned: 40, ceiling: 136, elastic: true },
      ],
    });
  });

  it('listens on this host alone unless it says otherwise', async () => {
    expect((await load(sound)).file.listen).toEqual({ host: '127.0.0.1', port: 8180 });
  });

  it('shows every fault with its place', async () => {
    const failure = await load(
      `${sound}lookEvery: 9s\nlisten: { certificate: cert.pem }\ndemand: { url: ftp://x }\n`,
    ).catch((error: unknown) => error);
    const faults = failure instanceof FileFaults ? failure.faults : [];
    expect(faults.map((fault) => formatFault({ ...fault, file: basename(fault.file) }))).toEqual([
      'gateway.yaml:6:12  lookEvery: found "9s", expected a duration from 1s to 4s',
      'gateway.yaml:7:11  listen.certificate: found it alone, expected certificate and key, both or neither',
      'gateway.yaml:8:9  demand.key: found nothing, expected a text',
      'gateway.yaml:8:16  demand.url: found "ftp://x", expected an http or https URL',
    ]);
  });

  it('fetches the calls of a site that can not call it, and waits 20 s for each', async () => {
    const { privateJwk } = await newKeyPair();
    const pull = "pull: { url: 'https://x.example.com/v1/relay', key: key.json }\n";
    const loaded = await load(`${sound}${pull}`, { 'key.json': JSON.stringify(privateJwk) });
    expect(loaded.pull).toMatchObject({
      url: 'https://x.example.com/v1/relay',
      key: { kid: privateJwk.kid },
      waitSeconds: 20,
      everySeconds: 0,
    });
  });

  it.each([
    ['without a breath', 'wait: 0s', 'pull.wait: found 0s, expected more, or a pause: every: 1s'],
    ['less often than its callers wait', 'every: 9s', 'pull.every: found "9s", expected a duration from 0s to 5s'],
    ['for longer than the API lets it', 'wait: 21s', 'pull.wait: found "21s", expected a duration from 0s to 20s'],
  ])('does not fetch calls %s', async (_how, setting, fault) => {
    const pull = `pull: { url: 'https://x.example.com/v1/relay', key: key.json, ${setting} }\n`;
    const failure = await load(`${sound}${pull}`).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(FileFaults);
    expect(String(failure)).toContain(fault);
  });

  it('has its key list read again at each call, so that keys can be changed while it runs', async () => {
    const path = await folder(sound);
    const { readCallers } = await loadGatewayFile(path);
    expect((await readCallers()).keys).toHaveLength(0);
    const { publicJwk } = await newKeyPair();
    const entry = { role: 'site', subject: 'austin', jwk: publicJwk };
    await writeFile(join(path, '..', 'callers.json'), JSON.stringify({ keys: [entry] }));
    expect((await readCallers()).keys).toHaveLength(1);
  });

  it('names a file that holds no key, and never what it holds', async () => {
    const demand = `${sound}demand: { url: 'https://x.example.com/v1/demand', key: key.json }\n`;
    const failure = await load(demand, { 'key.json': 'secret!' }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(FileUnusable);
    expect(String(failure)).toMatch(/reading the key .*key\.json: it is not JSON; correct the file/);
    expect(String(failure)).not.toContain('secret!');
  });
});
