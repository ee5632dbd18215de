/** What the contracts have in common whose calls are signed. */
import { callTokenHeader } from './common.ts';
import { problemAnswer, type Answer, type SecurityRequirement } from './openapi.ts';

export const signedCall = {
  security: [{ callToken: [] }],
  securitySchemes: {
    callToken: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description:
        'A JWT for this one call, signed with Ed25519 (alg EdDSA, typ esr-call+jwt, kid the RFC 7638 thumbprint of the key). ' +
        'Claims: iss the caller, aud the receiver, htm and htu the method and the whole URL with its query, ' +
        'bd the base64url SHA-256 of the body, jti, iat, and exp at most 60 s later. Each is accepted once. ' +
        'The receiver’s key list says which role a key has. Where a platform in front of the receiver takes the header ' +
        `authorization for a signature of its own, as AWS IAM does, the token is in the header ${callTokenHeader} instead, ` +
        'written in the same way.',
    },
  },
};

/** A key of any of these roles will do. */
export function signedBy(...roles: readonly string[]): readonly SecurityRequirement[] {
  return roles.map((role) => ({ callToken: [role] }));
}

export const callProblems: Readonly<Record<number, Answer>> = {
  400: problemAnswer('A parameter or the body is not what the contract says; nothing was changed'),
  401: problemAnswer('The caller is not proven; nothing was changed'),
  403: problemAnswer('The caller’s key is not for this; nothing was changed'),
  500: problemAnswer('An unexpected error; whether something was changed is unknown'),
};

export const bodyProblems: Readonly<Record<number, Answer>> = {
  ...callProblems,
  413: problemAnswer('The body is longer than 1 MiB; nothing was changed'),
};
