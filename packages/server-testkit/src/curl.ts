import { basic, readAnswer } from './server.ts';

/**
 * Runs a curl command of the documentation with `fetch`. It supports the options `-u user:password` and `-d form`. A machine
 * with only Node.js has no curl.
 */
// biome-ignore lint/suspicious/noExplicitAny: tests read any field of the answer
export async function curl(command: string): Promise<any> {
  const words = command.replaceAll(/\\\n/g, ' ').split(/\s+/).filter(Boolean);
  if (words.shift() !== 'curl') throw new Error(`not a curl command: ${command}`);
  const headers: Record<string, string> = {};
  const form: string[] = [];
  let url = '';
  while (words.length > 0) {
    const word = words.shift() ?? '';
    if (word === '-u') headers.authorization = basic(words.shift() ?? '');
    else if (word === '-d') form.push(words.shift() ?? '');
    else if (word.startsWith('http')) url = word;
    else throw new Error(`the option ${word} of curl is not supported here`);
  }
  const body = form.length === 0 ? {} : { method: 'POST', body: new URLSearchParams(form.join('&')) };
  return (await readAnswer(await fetch(url, { headers, ...body }))).json;
}
