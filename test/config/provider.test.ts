import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadSiteFile } from '../../shared/config/load.ts';
import { assumableRoles } from '../../shared/config/provider.ts';
import { eachIsFound, siteFolder, soundSite } from './site-folder.ts';

const auth = (role: string): string =>
  `auth: { kind: iam, region: eu-central-1, roleArn: 'arn:aws:iam::999988887777:role/${role}', externalId: burst-austin }`;

const withAuth = (role: string): string => soundSite.replace('kind: pool', `kind: pool\n    ${auth(role)}`);

describe('a provider behind IAM', () => {
  it('names the role that the site assumes, and its external id', async () => {
    const folder = await siteFolder({ 'site.yaml': withAuth('burst/austin') });
    const { file } = await loadSiteFile(join(folder, 'site.yaml'));
    expect(file.providers[0]?.auth).toEqual({
      kind: 'iam',
      region: 'eu-central-1',
      roleArn: 'arn:aws:iam::999988887777:role/burst/austin',
      externalId: 'burst-austin',
    });
    expect(assumableRoles([...file.providers, ...file.providers])).toEqual([
      'arn:aws:iam::999988887777:role/burst/austin',
    ]);
  });

  it('is an exception: others need no role', async () => {
    const folder = await siteFolder({ 'site.yaml': soundSite });
    expect(assumableRoles((await loadSiteFile(join(folder, 'site.yaml'))).file.providers)).toEqual([]);
  });

  describe('is not described by', () => {
    eachIsFound([
      [
        'a user',
        'kind: pool',
        `kind: pool\n    ${auth('x').replace(':role/', ':user/')}`,
        '5:55  providers[0].auth.roleArn: found "arn:aws:iam::999988887777:user/x", expected a role\'s ARN: arn:aws:iam::ACCOUNT:role/NAME',
      ],
      [
        'another kind',
        'kind: pool',
        `kind: pool\n    ${auth('x').replace('kind: iam', 'kind: basic')}`,
        '5:19  providers[0].auth.kind: found "basic", expected iam',
      ],
      [
        'no external id',
        'kind: pool',
        `kind: pool\n    ${auth('x').replace(', externalId: burst-austin', '')}`,
        '5:11  providers[0].auth.externalId: found nothing, expected a text',
      ],
    ]);
  });
});
