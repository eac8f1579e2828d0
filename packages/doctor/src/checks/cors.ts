import { metadataPath } from '@watchword/server/features/metadata';
import { broken, type Finding, ok } from '../finding.ts';
import type { Check, Reached } from '../patient.ts';

/** Whether applications in browsers can read the metadata (CORS). */
export const cors: Check = {
  name: 'cors',
  async run({ baseUrl, send }: Reached): Promise<readonly Finding[]> {
    const { headers } = await send(`${baseUrl}${metadataPath}`, {
      headers: { origin: 'https://app.example' },
    });
    const allowed = headers['access-control-allow-origin'];
    if (allowed === '*') return [ok('applications in browsers can read the metadata')];
    const found =
      allowed === undefined ? 'no Access-Control-Allow-Origin' : `Access-Control-Allow-Origin: ${allowed}`;
    return [
      broken(`the metadata has ${found}`, {
        expected: 'Access-Control-Allow-Origin: *, once, as the server sends it',
        advice:
          'let the proxy pass the headers Access-Control-* on, and not add its own: browsers reject two of them',
      }),
    ];
  },
};
