import { describe } from 'vitest';
import { eachIsFound } from './site-folder.ts';

describe('a fault in the keys is found at its place', () => {
  eachIsFound([
    [
      'an unknown key, at the key',
      'returnAfter: 10m',
      'colour: red',
      '18:7  resources.hfsshpc.elastic.colour: found an unknown key, expected one of providerOrder, maxStep, borrowAfter, returnAfter, headroom, linger, spendingCap, onStale, staleAfter',
    ],
    [
      'a misspelt key, with the key that was meant',
      'returnAfter',
      'retrunAfter',
      '18:7  resources.hfsshpc.elastic.retrunAfter: found an unknown key, expected returnAfter (did you mean this?)',
    ],
    [
      'a key that would merge another map',
      'total: 4\n',
      'total: 4\n    <<: {}\n',
      '22:5  resources.aa_r["<<"]: found an unknown key, expected elastic',
    ],
    [
      'a missing key, at the map that lacks it',
      '      maxBorrowed: 96\n',
      '',
      '16:7  resources.hfsshpc.elastic.maxBorrowed: found nothing, expected a whole number',
    ],
    ['a missing key of the whole file', 'site: austin\n', '', '1:1  site: found nothing, expected a text'],
    [
      'a resource with a name that no URL carries, at the name',
      'aa_r',
      'aa r',
      '19:3  resources["aa r"]: found the name "aa r", expected a name of 1 to 128 letters, digits and _ . : @ + -, beginning with a letter or digit',
    ],
    [
      'a resource with a name that means something to JavaScript',
      'aa_r',
      '__proto__',
      '19:3  resources.__proto__: found a name that is reserved, expected another name',
    ],
  ]);
});

describe('a fault in a value is found at its place', () => {
  eachIsFound([
    ['no value', 'total: 4\n', 'total:\n', '21:11  resources.aa_r.total: found nothing, expected a whole number'],
    [
      'a text for a number',
      'total: 4\n',
      'total: four\n',
      '21:12  resources.aa_r.total: found "four", expected a whole number',
    ],
    [
      'part of a token',
      'total: 4\n',
      'total: 4.5\n',
      '21:12  resources.aa_r.total: found 4.5, expected a whole number',
    ],
    [
      'endless tokens',
      'total: 4\n',
      'total: .inf\n',
      '21:12  resources.aa_r.total: found Infinity, expected a whole number',
    ],
    ['fewer than no tokens', 'total: 4\n', 'total: -1\n', '21:12  resources.aa_r.total: found -1, expected at least 0'],
    [
      'more tokens than the contracts carry',
      'total: 4\n',
      'total: 10000001\n',
      '21:12  resources.aa_r.total: found 10000001, expected at most 10000000',
    ],
    [
      'a list for a number',
      'total: 4\n',
      'total: [4]\n',
      '21:12  resources.aa_r.total: found a list, expected a whole number',
    ],
    [
      'another word for true',
      'true\n    total: 4\n',
      'yes\n    total: 4\n',
      '20:13  resources.aa_r.shared: found "yes", expected true or false',
    ],
    [
      'a name that no URL carries',
      'site: austin',
      'site: austin.texas',
      '1:7  site: found "austin.texas", expected a name of 1 to 64 letters, digits, _ and -, beginning with a letter or digit',
    ],
    [
      'a misspelt choice',
      'returnAfter: 10m',
      'providerOrder: cheepest',
      '18:22  resources.hfsshpc.elastic.providerOrder: found "cheepest", expected cheapest (did you mean this?)',
    ],
    ['another kind of provider', 'kind: pool', 'kind: shop', '4:11  providers[0].kind: found "shop", expected pool'],
    [
      'a cap below nothing',
      'returnAfter: 10m',
      'spendingCap: { amount: -1, per: month }',
      '18:30  resources.hfsshpc.elastic.spendingCap.amount: found -1, expected at least 0',
    ],
    [
      'an address without its protocol',
      'kind: pool\n',
      'kind: pool\n    url: pool.example.com\n',
      '5:10  providers[0].url: found "pool.example.com", expected an http or https URL',
    ],
    [
      'an empty list of providers',
      '[burst]',
      '[]',
      '16:18  resources.hfsshpc.elastic.providers: found an empty list, expected at least one entry',
    ],
    [
      'one name for a list of names',
      '[burst]',
      'burst',
      '16:18  resources.hfsshpc.elastic.providers: found "burst", expected a list',
    ],
    [
      'a value too long to repeat',
      'true\n    total: 4\n',
      `${'yes'.repeat(30)}\n    total: 4\n`,
      `20:13  resources.aa_r.shared: found "${'yes'.repeat(20).slice(0, 58)}…, expected true or false`,
    ],
  ]);
});

describe('a fault in a duration is found at its place', () => {
  eachIsFound([
    [
      'a number without its unit',
      'returnAfter: 10m',
      'returnAfter: 10',
      '18:20  resources.hfsshpc.elastic.returnAfter: found 10, expected a unit with it: write 10s or 10m',
    ],
    [
      'words',
      'returnAfter: 10m',
      'returnAfter: ten minutes',
      '18:20  resources.hfsshpc.elastic.returnAfter: found "ten minutes", expected a duration such as 90s, 10m, 1h30m, 2h or 1d',
    ],
    [
      'less than one bucket of recent peaks',
      'returnAfter: 10m',
      'returnAfter: 59s',
      '18:20  resources.hfsshpc.elastic.returnAfter: found "59s", expected a duration from 1m to 24h',
    ],
    [
      'more than the recent peaks reach back',
      'returnAfter: 10m',
      'returnAfter: 24h1s',
      '18:20  resources.hfsshpc.elastic.returnAfter: found "24h1s", expected a duration from 1m to 24h',
    ],
  ]);
});
