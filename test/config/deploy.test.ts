import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { deploy } from '../../shared/config/deploy.ts';
import { loadSiteFile } from '../../shared/config/load.ts';
import { faultsIn, siteFolder, soundSite } from './site-folder.ts';

describe('how a site is deployed', () => {
  it('may be left out, and has defaults', async () => {
    expect(deploy.parse({})).toEqual({ dashboard: true, logRetentionDays: 30, tags: {} });
    const folder = await siteFolder({ 'site.yaml': soundSite });
    expect((await loadSiteFile(`${folder}/site.yaml`)).file.deploy).toBeUndefined();
  });

  it.each([
    ["account: '1234'", 'account'],
    ['account: 111122223333', 'account'],
    ['region: Frankfurt', 'region'],
    ['vpc: { subnets: [], securityGroups: [sg-4e5f] }', 'vpc.subnets'],
    ['vpc: { subnets: [vpc-4e5f], securityGroups: [sg-4e5f] }', 'vpc.subnets[0]'],
    ['vpc: { subnets: [subnet-4e5f] }', 'vpc.securityGroups'],
    ['jwt: { issuer: http://login.example.com, audience: [readers] }', 'jwt.issuer'],
    ['alarmTopic: operations', 'alarmTopic'],
    ['logRetentionDays: 31', 'logRetentionDays'],
    ['tags: { aws-owner: austin, aws:name: austin }', 'tags["aws:name"]'],
    ['zone: a', 'zone'],
  ])('is checked: %s', async (line, path) => {
    const folder = await siteFolder({ 'site.yaml': `${soundSite}deploy:\n  ${line}\n` });
    expect((await faultsIn(`${folder}/site.yaml`)).map((fault) => fault.path)).toEqual([`deploy.${path}`]);
  });

  it('does not change what the site does: its policy has the same digest', async () => {
    const text = await readFile('sites/austin.yaml', 'utf8');
    const folder = await siteFolder({ 'with.yaml': text, 'without.yaml': text.slice(0, text.indexOf('deploy:\n')) });
    const [first, second] = await Promise.all(
      ['with', 'without'].map((name) => loadSiteFile(`${folder}/${name}.yaml`)),
    );
    expect(first?.file.deploy).toBeDefined();
    expect(first?.policyDigest).toBe(second?.policyDigest);
  });
});
