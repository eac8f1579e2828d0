import { type DynamicModule, type INestApplication, Module, type ModuleMetadata } from '@nestjs/common';
import { type AbstractHttpAdapter, NestFactory } from '@nestjs/core';
import { httpApi } from './http-api.ts';
import type { Api } from './middleware-conformance.ts';

/** What NestJS has written, a line each. */
export type Lines = readonly string[];

export interface NestApi extends Api {
  readonly app: INestApplication;
  readonly lines: Lines;
}

/** Puts decorators on a method as the syntax would. It is no syntax that Node.js can run. */
export function decorate(
  controller: new () => unknown,
  method: string,
  ...decorators: MethodDecorator[]
): void {
  const descriptor = Object.getOwnPropertyDescriptor(controller.prototype, method);
  if (descriptor === undefined) throw new Error(`${controller.name} has no method ${method}`);
  for (const decorator of decorators.toReversed()) decorator(controller.prototype, method, descriptor);
}

/** An application of NestJS that listens. */
export async function nestApi(
  metadata: ModuleMetadata & { readonly imports?: (DynamicModule | Promise<DynamicModule>)[] },
  adapter: AbstractHttpAdapter,
  { calls = () => 0, prepare }: { calls?: () => number; prepare?: (app: INestApplication) => void } = {},
): Promise<NestApi> {
  class Application {}
  Module(metadata)(Application);
  const lines: string[] = [];
  const write = (message: unknown) => void lines.push(String(message));
  const app = await NestFactory.create(Application, adapter, {
    abortOnError: false,
    logger: { log: () => {}, error: write, warn: write, fatal: write },
  });
  prepare?.(app);
  await app.listen(0, '127.0.0.1');
  const { send, peer } = await httpApi(app.getHttpServer(), calls);
  return { app, lines, calls, send, ...(peer && { peer }), [Symbol.asyncDispose]: () => app.close() };
}
