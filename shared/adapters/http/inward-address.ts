/**
 * Addresses that lead from a server into itself or its platform rather than to another party. Private networks are none
 * of them: a controller on premises is in one.
 */
import { BlockList, isIP } from 'node:net';

/** Which of them may be called all the same. */
export interface AddressRules {
  /** On one machine the parts of a site call each other there; where a site is deployed, only its platform listens there. */
  readonly loopback: boolean;
  /** IP addresses that the site file allows by name. */
  readonly allowed: readonly string[];
}

/** RFC 1122, section 3.2.1.3, and RFC 4291, section 2.5.3. */
const loopback = listOf(['127.0.0.0', 8], ['::1', 128]);

const inward: readonly (readonly [kind: string, addresses: BlockList])[] = [
  // RFC 3927 and RFC 4291; the metadata services of the clouds are at 169.254.169.254.
  ['link-local', listOf(['169.254.0.0', 16], ['fe80::', 10])],
  // Amazon EC2 User Guide, "Access instance metadata": fd00:ec2::254.
  ['an address of the platform', listOf(['fd00:ec2::', 32])],
  // It stands for the host itself (RFC 1122; RFC 4291, section 2.5.2).
  ['no address of a host', listOf(['0.0.0.0', 8], ['::', 128])],
];

/** What keeps an IP address from being called, in words. An IPv4 address that is written as IPv6 counts as such. */
export function inwardKind(address: string, rules: AddressRules): string | undefined {
  if (includes(listOf(...rules.allowed.map((each) => [each] as const)), address)) return undefined;
  if (!rules.loopback && includes(loopback, address)) return 'loopback';
  return inward.find(([, addresses]) => includes(addresses, address))?.[0];
}

/** The host of a URL without the brackets that an IPv6 address has there. */
export function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[|\]$/g, '');
}

function listOf(...subnets: readonly (readonly [address: string, prefix?: number])[]): BlockList {
  const list = new BlockList();
  for (const [address, prefix] of subnets) {
    if (prefix === undefined) list.addAddress(address, familyOf(address));
    else list.addSubnet(address, prefix, familyOf(address));
  }
  return list;
}

function includes(list: BlockList, address: string): boolean {
  return list.check(address, familyOf(address));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}
