import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assumedRole } from '../../../shared/adapters/provider/assumed-role.ts';
import { IamSigner, type Credentials } from '../../../shared/adapters/provider/iam-signer.ts';
import { Moto, motoAccount, motoIsThere, motoPython, orMotoSkipped } from './moto.ts';

const role = { roleArn: `arn:aws:iam::${motoAccount}:role/burst-austin`, externalId: 'burst-austin-5f0c1d9a' };
const iamVersion = '2010-05-08';

describe.skipIf(!motoIsThere)(`the role of a pool${orMotoSkipped}`, () => {
  let moto: Moto;
  let environment: Record<string, string>;

  /** A role that trusts whoever names the external id, and a function's credentials that may assume it. */
  beforeAll(async () => {
    moto = await Moto.start();
    const statement = { Effect: 'Allow', Action: 'sts:AssumeRole' };
    const condition = { StringEquals: { 'sts:ExternalId': role.externalId } };
    await moto.call('iam', {
      Action: 'CreateRole',
      Version: iamVersion,
      RoleName: 'burst-austin',
      AssumeRolePolicyDocument: policy({ ...statement, Principal: { AWS: '*' }, Condition: condition }),
    });
    const user = { Version: iamVersion, UserName: 'reconcile' };
    await moto.call('iam', { Action: 'CreateUser', ...user });
    const document = policy({ ...statement, Resource: role.roleArn });
    await moto.call('iam', { Action: 'PutUserPolicy', ...user, PolicyName: 'assume', PolicyDocument: document });
    const key = await moto.call('iam', { Action: 'CreateAccessKey', ...user });
    environment = {
      AWS_ENDPOINT_URL_STS: moto.endpoint,
      AWS_REGION: 'eu-central-1',
      AWS_ACCESS_KEY_ID: /<AccessKeyId>(.+)<\/AccessKeyId>/.exec(key)?.[1] ?? '',
      AWS_SECRET_ACCESS_KEY: /<SecretAccessKey>(.+)<\/SecretAccessKey>/.exec(key)?.[1] ?? '',
    };
    await moto.enforceAccess();
  }, 60_000);

  afterAll(() => moto.stop());

  it("is assumed with the external id, for an hour, under the site's name", async () => {
    const { expiration, ...session } = await assumedRole(role, 'austin', environment)();
    expect(Math.round(((expiration?.getTime() ?? 0) - Date.now()) / 60_000)).toBe(60);
    const who = await moto.call('sts', { Action: 'GetCallerIdentity', Version: '2011-06-15' }, session);
    expect(who).toContain(`<Arn>arn:aws:sts::${motoAccount}:assumed-role/burst-austin/esr-austin</Arn>`);
  });

  it.each<[string, () => Promise<Credentials>, RegExp]>([
    [
      'another external id',
      () => assumedRole({ ...role, externalId: 'guessed' }, 'austin', environment)(),
      /not authorized/,
    ],
    [
      'other credentials',
      () => assumedRole(role, 'austin', { ...environment, AWS_SECRET_ACCESS_KEY: 'guessed' })(),
      /signature/,
    ],
  ])('is refused with %s', async (_, assume, fault) => {
    await expect(assume()).rejects.toThrow(fault);
  });

  it('takes site names of any length', async () => {
    expect(await assumedRole(role, 'a', environment)()).toHaveProperty('sessionToken');
    expect(await assumedRole(role, 'a'.repeat(64), environment)()).toHaveProperty('sessionToken');
  });

  it('has sessions whose calls are signed as the AWS SDK for Python signs them', async () => {
    const session = await assumedRole(role, 'austin', environment)();
    const signer = new IamSigner({ region: 'eu-central-1', obtain: async () => session });
    const url = 'https://abc123.execute-api.eu-central-1.amazonaws.com/v1/grants/a:b@c+d?site=austin&x=%20y';
    const call = { method: 'PUT', headers: { 'esr-authorization': 'Bearer a.b.c' }, body: '{"tokens":8}' };
    const ours = await signer.sign(url, call);
    const theirs = spawnSync(motoPython, ['-c', signWithBotocore], {
      input: JSON.stringify({ session, url, ...call, at: ours.get('x-amz-date') }),
      encoding: 'utf8',
    });
    expect(theirs.stderr).toBe('');
    expect(ours.get('authorization')).toBe(theirs.stdout.trim());
  });
});

function policy(statement: object): string {
  return JSON.stringify({ Version: '2012-10-17', Statement: [statement] });
}

const signWithBotocore = `
import datetime, json, sys
from botocore import auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials
given = json.load(sys.stdin)
session = given['session']
auth.get_current_datetime = lambda *_, **__: datetime.datetime.strptime(given['at'], '%Y%m%dT%H%M%SZ')
request = AWSRequest(given['method'], given['url'], data=given['body'], headers=given['headers'])
credentials = Credentials(session['accessKeyId'], session['secretAccessKey'], session['sessionToken'])
auth.SigV4Auth(credentials, 'execute-api', 'eu-central-1').add_auth(request)
print(request.headers['Authorization'])
`;
