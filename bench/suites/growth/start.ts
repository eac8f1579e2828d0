import { startWatchword } from '../../contestants/server-process.ts';
import { median } from '../../measure/statistics.ts';

const starts = 5;

/**
 * Starts a server over each database in turn and prints the medians of the time from the start of the process until it is ready.
 *
 * @param databases by name: a file or a URL
 */
export async function measureStarts(
  directory: string,
  databases: Readonly<Record<string, string>>,
): Promise<void> {
  const measured = Object.entries(databases).map(([name, place]) => ({
    name,
    place,
    times: [] as number[],
    processor: [] as number[],
    memory: [] as number[],
  }));
  for (let round = 0; round < starts; round += 1) {
    for (const { place, times, processor, memory } of measured) {
      const began = performance.now();
      const process = await startWatchword(directory, place);
      times.push(performance.now() - began);
      processor.push(process.cpuSeconds() * 1000);
      memory.push(process.memory());
      await process.stop();
    }
  }
  console.log(`start, medians of ${starts}`);
  for (const { name, times, processor, memory } of measured) {
    console.log(
      `${name.padEnd(24)}ready after ${median(times).toFixed(0)} ms (${Math.min(...times).toFixed(0)} to ` +
        `${Math.max(...times).toFixed(0)}), ${median(processor).toFixed(0)} ms of processor, ${median(memory).toFixed(0)} MB`,
    );
  }
  console.log();
}
