import {
  type ArgumentsHost,
  type CallHandler,
  Catch,
  type ExceptionFilter,
  type ExecutionContext,
  type NestInterceptor,
  SetMetadata,
  UseInterceptors,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { catchError, type Observable } from 'rxjs';
import { type Requirement, readRules } from '../bearer/access-rules.ts';
import { requireScope } from '../bearer/require.ts';
import { AccessError } from '../errors.ts';
import { answer, exceptionFor, isPreflightOf, requestOf } from './host.ts';

type Decorator = ClassDecorator & MethodDecorator;

/** The name of what a route or controller needs beside the rules of the guard. An empty list makes it public. */
const needs = 'watchword:scopes';
const reflector = new Reflector();

/**
 * Scopes that a route, or every route of a controller, needs beside those of the guard. If no guard stands before the route, it answers 401.
 * @throws ConfigurationError where a text is no scope
 */
export function Scopes(...scopes: readonly Requirement[]): Decorator {
  for (const scope of scopes.length === 0 ? [[]] : scopes) readRules({ scope });
  return needing(scopes.flat());
}

/** Opens a route, or every route of a controller, to everybody: no token is read. {@link Scopes} of the same or a nearer place wins. */
export function Public(): Decorator {
  return needing([]);
}

function needing(scopes: readonly Requirement[]): Decorator {
  return ((target: object, name?: string, method?: PropertyDescriptor) => {
    const place = name === undefined ? target : method?.value;
    if (typeof place !== 'function') throw new TypeError('Expected a class or a method to decorate');
    // A class has those of the class that it extends, too.
    SetMetadata(needs, [...(reflector.get(needs, place) ?? []), ...scopes])(place);
    if (scopes.length > 0)
      UseInterceptors(accessErrors)(target, name as string, method as PropertyDescriptor);
  }) as Decorator;
}

/** The scopes that decorators ask of a route; `undefined` if it is public. */
export function neededBy(context: ExecutionContext): readonly Requirement[] | undefined {
  const [ofRoute, ofController] = [context.getHandler(), context.getClass()].map(
    (place): readonly Requirement[] | undefined => reflector.get(needs, place),
  );
  if ((ofRoute ?? ofController)?.length === 0) return undefined;
  return [...(ofController ?? []), ...(ofRoute ?? [])];
}

/**
 * Answers what helpers throw. Filters of the API see what handlers and pipes throw as `HttpException`, and what guards and middleware throw
 * as it is.
 */
class AccessErrors implements NestInterceptor, ExceptionFilter<AccessError> {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (context.getType() !== 'http') return next.handle();
    try {
      requireNeeded(context);
    } catch (error) {
      throw exceptionFor(error, context);
    }
    return next.handle().pipe(
      catchError((error: unknown) => {
        throw exceptionFor(error, context);
      }),
    );
  }

  catch(error: AccessError, host: ArgumentsHost): void {
    if (host.getType() !== 'http') throw error;
    answer(error, host);
  }
}

/** What the guard requires already. But no guard may have run. */
function requireNeeded(context: ExecutionContext): void {
  const scopes = neededBy(context) ?? [];
  if (scopes.length > 0 && !isPreflightOf(context)) requireScope(requestOf(context).tokenInfo, ...scopes);
}

Catch(AccessError)(AccessErrors);

export const accessErrors = new AccessErrors();
