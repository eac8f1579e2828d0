// Run by contributing.slow.test.ts in a copy of the checkout: runs commands one after the other in one process, because each process
// loads the changed sources again. It prints their results as JSON.
import { watchword } from '@watchword/server-testkit/processes/process';

const commands: string[][] = JSON.parse(process.argv[2] ?? '[]');
const results = [];
for (const args of commands) results.push(await watchword(args));
console.log(JSON.stringify(results));
