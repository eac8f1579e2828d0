import { shellCommand } from '../../shell-word.ts';
import type { ErrorRule } from './error-rule.ts';

const look = 'The log of the server has the cause, under the id of the request.';

/** Rules of every request, of records, and of the server itself. */
export const serverRules = {
  well_formed_request: {
    requirement: 'A request has the form that its endpoint expects.',
    section: 'RFC 6749 §5.2',
    advice: 'Correct what the description of the error names.',
  },
  required_parameter: {
    requirement: 'A request has each parameter that its endpoint needs, with a value.',
    section: 'RFC 6749 §3.1',
    advice:
      'Send the parameter. For the token endpoint it stands in the body, and the content type is application/x-www-form-urlencoded.',
    refusal: ({ name }: { readonly name: string }) => ({
      description: `The parameter ${name} is missing.`,
      expected: name,
      came: `no ${name}, or an empty one`,
    }),
  },
  parameter_once: {
    requirement: 'A request has each parameter that the server knows once.',
    section: 'RFC 6749 §3.1',
    advice:
      'Look for a parameter that the address of the endpoint has already, or that the library adds by itself.',
    refusal: ({ name }: { readonly name: string }) => ({
      // Any other name could be a value that was pasted in the wrong place.
      description: `${/^[a-z_]{1,40}$/.test(name) ? `The parameter ${name}` : 'A parameter'} is given more than once.`,
    }),
  },
  form_encoding: {
    requirement: 'Parameters are form-urlencoded UTF-8, and not more than a hundred.',
    section: 'RFC 6749 Appendix B',
    advice: 'Let the library encode names and values.',
    /** The greatest number of parameters, if the request has more. */
    refusal: ({ most }: { readonly most?: number }) => ({
      description:
        most === undefined
          ? 'A parameter is not valid percent-encoded UTF-8, or holds a NUL character.'
          : `The request has more than ${most} parameters.`,
    }),
  },
  known_address: {
    requirement: 'A request goes to an address that the server has.',
    section: 'RFC 9110 §15.5.5',
    advice:
      'Compare the address letter by letter with those in the metadata of the server and in the README. Capitals and slashes count.',
  },
  http_method: {
    requirement: 'A request has a method that its address answers.',
    section: 'RFC 9110 §15.5.6',
    advice: 'Use a method of the Allow header.',
  },
  http_request: {
    requirement: 'A request is valid HTTP within the limits of the server, and arrives in time.',
    section: 'RFC 9110 §15.5',
    advice: 'Look at what a proxy adds to requests. The README has the limits that proxies need.',
  },
  own_host: {
    requirement:
      'A request to a server for development, or with a loopback base URL, is for a loopback host or that of the base URL.',
    section: 'RFC 9110 §15.5.20',
    advice:
      'Open the address that the server printed at its start. If the server has another name, add it to the setting allowedHosts, or set baseUrl.',
  },
  media_type: {
    requirement: 'The body of a request is of the content type that its address takes.',
    section: 'RFC 9110 §15.5.16',
    advice: 'Set the Content-Type header of the request.',
  },
  echo_ticket: {
    requirement:
      'A request for an echo has a ticket of the last day, sealed with a key of the database of the server.',
    command: 'watchword doctor',
    advice:
      'The command makes the ticket: run it with the configuration of the server, so that both use one database.',
  },
  described_parameter: {
    requirement:
      'A parameter of the administration interface is one that its address has, with a value that it permits.',
    advice: 'The page /admin/docs of the server describes the parameters of each address.',
  },
  valid_record: {
    requirement: 'A record that is registered or changed breaks none of its rules.',
    advice: 'Correct the fields that the violations name. Nothing was changed.',
    refusal: () => ({ description: 'The record breaks the rules that violations lists.' }),
  },
  managed_record: {
    requirement: 'A record that a configuration manages is changed by that configuration alone.',
    command: 'watchword apply FILE',
    advice: 'Change the record in the file of its configuration, and apply it.',
  },
  confidential_record: {
    requirement: 'Only a confidential client gets a secret.',
    section: 'RFC 6749 §2.1',
    command: 'watchword client update {client} --confidential true',
    advice: 'Make the client confidential first, if the application can keep a secret.',
  },
  known_record: {
    requirement: 'A request names a record that exists, and that the caller can see.',
    advice: 'Look for the record in the list. Only its record owner and administrators see it.',
    /** The list of revocations of a resource server without JWTs. */
    refusal: () => ({
      description:
        'The resource server has opaque access tokens (accessTokenFormat), so it has no list of revocations.',
    }),
  },
  current_record: {
    requirement: 'A record is changed as it was read: If-Match has its current ETag.',
    section: 'RFC 9110 §13.1.1',
    advice: 'Read the record again, and repeat the change.',
  },
  consistent_records: {
    requirement: 'A change does not contradict another record.',
    section: 'RFC 9110 §15.5.10',
    advice: 'Change or remove the other record first, or choose another name.',
    refusal: ({ field, chosen }: { readonly field: string; readonly chosen: string }) => ({
      description: `There is a record with the ${field} ${chosen} already; choose another one.`,
    }),
  },
  single_signing_key: {
    requirement: 'A signing key has one id and one algorithm, and retires once.',
    section: 'RFC 8725 §3.1',
    command: 'watchword keys list',
    advice: 'Look for the key in the list, which has the states of all keys. Nothing was changed.',
  },
  administrator: {
    requirement: 'Only administrators make this request.',
    command: 'watchword user set-admin USERNAME on',
    advice:
      'Ask an administrator. The command makes a user with a local account an administrator, with access to everything.',
  },
  administrative_right: {
    requirement: 'A client that acts for itself administers what its administrative rights name.',
    command: 'watchword right give CLIENT_ID RIGHT',
    advice:
      'If the client is to do this, let an administrator give it the right. It holds at once, also for access tokens that the client has.',
    refusal: ({
      right,
      held,
      clientId,
    }: {
      readonly right: string;
      readonly held: readonly string[];
      readonly clientId: string;
    }) => ({
      description: `The client acts for itself and lacks the right ${right}. An administrator gives it: ${shellCommand('watchword right give {clientId} {right}', { clientId, right })}`,
      expected: right,
      came: held.length === 0 ? 'no right' : held.join(', '),
    }),
  },
  never_by_machine: {
    requirement:
      'Some things are done by administrators who are people, and by no client that acts for itself, whatever its rights are.',
    advice:
      'Log in as an administrator, or use the command line on the machine of the server. Otherwise a client could raise its own rights.',
    refusal: ({ what }: { readonly what: string }) => ({
      description: `A client that acts for itself cannot ${what}, whatever its rights are. An administrator who logged in can.`,
      expected: 'an administrator who logged in',
      came: 'a client that acts for itself',
    }),
  },
  fresh_login: {
    requirement:
      'People log in again before what cannot be undone, as the setting administration.freshLogin says.',
    section: 'RFC 9470 §3',
    advice:
      'Log in again, and repeat the request with the new access token. A client that acts for itself is not asked.',
    refusal: ({ age, maxAge }: { readonly age: number; readonly maxAge: number }) => ({
      description: `This cannot be undone, so it needs a login of the last ${maxAge} seconds: log in again, and repeat it.`,
      expected: `a login of the last ${maxAge} seconds`,
      came: `one of ${age} seconds ago`,
    }),
  },
  registration_right: {
    requirement: 'Records are registered by those whom the setting administration.registration names.',
    command: 'watchword config',
    advice:
      'Ask an administrator to register the record, or an operator to change the setting, which the command shows.',
  },
  owner_limits: {
    requirement: 'A record owner stays within the limits of records, and of changes in a minute.',
    advice:
      'Wait, or delete records that nothing needs. The settings ownerLimits are the limits; administrators have none.',
  },
  working_server: {
    requirement: 'The server can answer the request.',
    section: 'RFC 6749 §4.1.2.1',
    advice: look,
  },
  intact_database: {
    requirement: 'The data of the server is intact.',
    command: 'watchword check',
    advice: 'Search for what is damaged, and restore the database from a backup.',
  },
  available_server: {
    requirement: 'The server is ready, and its database and keys can be used.',
    section: 'RFC 6749 §4.1.2.1',
    command: 'watchword healthcheck',
    advice: `Repeat the request after the seconds of Retry-After. ${look}`,
  },
  working_module: {
    requirement: 'The modules of the server answer correctly and in time.',
    advice: `${look} It names the module.`,
  },
} as const satisfies Record<string, ErrorRule>;
