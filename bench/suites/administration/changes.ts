import { median } from '../../measure/statistics.ts';

const writers = 32;
const settlingMs = 500;
const requests = 40;

/** How long reads take while administrators change records all the time: none may wait for them. */
export async function benchBesideChanges(
  baseUrl: string,
  token: string,
  resourceServerIds: readonly number[],
): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  let isOver = false;
  let changes = 0;
  const change = async () => {
    while (!isOver) {
      const id = resourceServerIds[changes % resourceServerIds.length];
      changes += 1;
      const answer = await fetch(`${baseUrl}/admin/resourceServer/${id}`, {
        method: 'PATCH',
        headers: { ...headers, 'content-type': 'application/merge-patch+json' },
        body: JSON.stringify({ description: `changed ${changes} times` }),
      });
      if (!answer.ok) throw new Error(`a change was answered ${answer.status}: ${await answer.text()}`);
      await answer.arrayBuffer();
    }
  };
  const changing = Promise.all(Array.from({ length: writers }, change));
  await new Promise((resolve) => setTimeout(resolve, settlingMs));
  console.log(`\nbeside ${writers} administrators who change records:`);
  for (const path of ['/admin/resourceServer/stats', '/admin/accessToken', '/admin/client']) {
    const times: number[] = [];
    let next: string | undefined = `${path}?limit=100`;
    for (let request = 0; request < requests && next !== undefined; request += 1) {
      const started = performance.now();
      const answer: Response = await fetch(`${baseUrl}${next}`, { headers });
      if (!answer.ok) throw new Error(`${next} was answered ${answer.status}`);
      await answer.arrayBuffer();
      times.push(performance.now() - started);
      next = /^<([^>]*)>/.exec(answer.headers.get('link') ?? '')?.[1];
    }
    console.log(
      `${median(times).toFixed(1).padStart(6)} ms  worst ${Math.max(...times).toFixed(1)} ms  ${path}`,
    );
  }
  isOver = true;
  await changing;
}
