import { run } from './run.ts';
import { type Demo, startDemo } from './start-demo.ts';

await run('./data/demo.db', startDemo, introduction);

function introduction({ appUrl, watchwordUrl, apiUrl, jobEnvironment }: Demo): string {
  return `
Watchword, an API and an app run on this machine. Open the app, and sign in under any name:

  ${appUrl}

There you add notes, renew the token, sign out. What you allowed, and how you take it back:

  ${watchwordUrl}/account

The API has the notes and refuses requests without a token, at ${apiUrl}/notes
In a second terminal, the job of a server reads its statistics with a token of its own:

  npx node --env-file=${jobEnvironment} examples/client-app/src/statistics-job.ts

Ctrl-C ends everything.
`;
}
