import type {
  HeadersInput,
  MediaType,
  MergedOptions,
  Options,
  RequestOptions,
  Schemas,
  Style,
  UrlObject,
} from './options.ts';

declare const answer: unique symbol;

/** Request options that know what their answer is, for functions that send them. There is no such property at run time. */
export interface TypedRequest<Answer> extends RequestOptions {
  readonly [answer]?: Answer;
}

/** What `merge` returns, knowing the same. */
export interface TypedOptions<Answer> extends MergedOptions {
  readonly [answer]?: Answer;
}

/** The type of the answer to a request: `AnswerOf<typeof request>`. */
export type AnswerOf<Request> = Request extends { readonly [answer]?: infer Answer } ? Answer : unknown;

type Method = 'get' | 'put' | 'post' | 'delete' | 'options' | 'head' | 'patch' | 'trace';

/** The methods that a path has: what it has not is `put?: never`. */
type MethodsOf<Item> = {
  [Name in keyof Item & Method]: Item[Name] extends undefined ? never : Name;
}[keyof Item & Method];

/** `'GET /users/{id}' | …` */
export type RouteOf<Paths> = {
  [Path in keyof Paths & string]: `${Uppercase<MethodsOf<Paths[Path]>>} ${Path}`;
}[keyof Paths & string];

type OperationOf<
  Paths,
  Route extends string,
> = Route extends `${infer Name} ${infer Path extends keyof Paths & string}`
  ? Paths[Path][Lowercase<Name> & keyof Paths[Path]]
  : never;

/** What an operation says of one kind of parameters, or nothing. */
type PartOf<Operation, Kind extends string> = Operation extends {
  readonly parameters: { readonly [Name in Kind]?: infer Part };
}
  ? unknown extends Part
    ? unknown
    : NonNullable<Part> extends never
      ? unknown
      : NonNullable<Part>
  : unknown;

type ContentOf<Body> = Body extends { readonly content: infer Content } ? Content[keyof Content] : never;

/** The members of a JSON body are parameters; another body is `data`. */
type Sent<Body> = [Body] extends [never]
  ? unknown
  : Body extends string | number | boolean | null | undefined | readonly unknown[]
    ? { readonly data: Body }
    : Body;

type BodyOf<Operation> = Operation extends { readonly requestBody: infer Body }
  ? Sent<ContentOf<Body>>
  : Operation extends { readonly requestBody?: infer Body }
    ? Partial<Sent<ContentOf<NonNullable<Body>>>>
    : unknown;

/** The parameters of an operation. Those that defaults have need not be given. */
type ParametersOf<Operation, Given extends PropertyKey> = Without<
  PartOf<Operation, 'path'> & PartOf<Operation, 'query'> & BodyOf<Operation>,
  Given
>;

type Without<All, Given extends PropertyKey> = [Given] extends [never]
  ? All
  : All extends unknown
    ? Omit<All, Given> & Partial<Pick<All, Given & keyof All>>
    : never;

/** `2xx` */
type Success = 200 | 201 | 202 | 203 | 204 | 205 | 206 | 'default';

type AnswersOf<Operation> = Operation extends { readonly responses: infer Responses }
  ? { [Status in keyof Responses & Success]: JsonOf<Responses[Status]> }[keyof Responses & Success]
  : unknown;

type JsonOf<Response> = Response extends { readonly content: infer Content }
  ? Content[keyof Content]
  : undefined;

/** The options of a call, without any name: so a misspelt parameter is found. */
interface CallOptions {
  readonly baseUrl?: string | UrlObject | undefined;
  readonly headers?: HeadersInput | undefined;
  readonly mediaType?: MediaType | undefined;
  readonly strict?: boolean | undefined;
  readonly style?: Style | undefined;
  readonly schema?: Schemas | undefined;
  /** For the client; over the members of the defaults'. */
  readonly request?: unknown;
}

type Rest<Parameters> =
  Record<never, never> extends Parameters
    ? [options?: CallOptions & Parameters]
    : [options: CallOptions & Parameters];

/** All names, also those that only some members of a union have. */
type NamesOf<All> = All extends unknown ? keyof All : never;

/** The options of a call with a third argument: nothing is required yet, and nothing else is taken. */
type Known<Some, Parameters> = Some & {
  readonly [Name in Exclude<keyof Some, keyof CallOptions | NamesOf<Parameters>>]: never;
};

/** What a call results in, by its kind. */
interface Results<Answer> {
  readonly request: TypedRequest<Answer>;
  readonly options: TypedOptions<Answer>;
  readonly url: string;
}

type ResultOf<Operation, Kind extends keyof Results<unknown>> = Results<AnswersOf<Operation>>[Kind];

/** The method is required where it is not GET, and one that the path has. */
type Fitting<Item, Name extends string> =
  Lowercase<Name> extends MethodsOf<Item> ? unknown : { readonly method: Uppercase<MethodsOf<Item>> };

interface TypedBuild<Paths, Given extends PropertyKey, Kind extends keyof Results<unknown>> {
  // First: of a call that is not complete, editors take the first overload with enough arguments.
  /**
   * From options alone.
   * @param options with `url`, a path of the API, and with `method` if it is not GET
   * @example
   * github({ method: 'POST', url: '/user/repos', name: 'hello-world' });
   */
  <const Path extends keyof Paths & string, const Name extends Method | Uppercase<Method> = 'GET'>(
    options: { readonly url: Path; readonly method?: Name | undefined } & CallOptions &
      Fitting<Paths[Path], Name> &
      ParametersOf<OperationOf<Paths, `${Name} ${Path}`>, Given>,
  ): ResultOf<OperationOf<Paths, `${Name} ${Path}`>, Kind>;
  /**
   * From a route of the API.
   * @param route `<METHOD> <path>`
   * @param options options, and the parameters of path, query and body by their names
   * @example
   * github('GET /repos/{owner}/{repo}/issues', { owner: 'octocat', repo: 'hello-world', state: 'open' });
   */
  <const Route extends RouteOf<Paths>>(
    route: Route,
    ...options: Rest<ParametersOf<OperationOf<Paths, Route>, Given>>
  ): ResultOf<OperationOf<Paths, Route>, Kind>;
}

/** With a third argument. */
interface TypedBuildWithParameters<Paths, Given extends PropertyKey, Kind extends keyof Results<unknown>> {
  /**
   * From a route of the API, and from parameters that can have the name of an option.
   * @param route `<METHOD> <path>`
   * @param options options and parameters
   * @param parameters parameters only: those that the options have not
   * @example
   * github('GET /repos/{owner}/{repo}/issues', { owner: 'octocat' }, { repo: 'hello-world' });
   */
  // biome-ignore lint/style/useShorthandFunctionType: editors show the comment of a signature
  <
    const Route extends RouteOf<Paths>,
    const Some extends CallOptions & Partial<ParametersOf<OperationOf<Paths, Route>, Given>>,
  >(
    route: Route,
    options: Known<Some, ParametersOf<OperationOf<Paths, Route>, Given>>,
    parameters: ParametersOf<OperationOf<Paths, Route>, Given | keyof Some>,
  ): ResultOf<OperationOf<Paths, Route>, Kind>;
}

interface TypedBuildMore<Paths, Given extends PropertyKey, Kind extends keyof Results<unknown>>
  extends TypedBuild<Paths, Given, Kind>,
    TypedBuildWithParameters<Paths, Given, Kind> {}

/** An endpoint function for an API whose `paths` are the ones that openapi-typescript writes. */
export interface TypedEndpoint<Paths, Given extends PropertyKey = never>
  extends TypedBuildMore<Paths, Given, 'request'> {
  /** The defaults, deeply frozen. */
  readonly DEFAULTS: MergedOptions;
  /** A new endpoint function with `options` over this one's defaults; this one stays as it is. */
  readonly defaults: <const More extends Options>(options: More) => TypedEndpoint<Paths, Given | keyof More>;
  /** The defaults and the options in one fresh object, for `parse`. */
  readonly merge: TypedBuild<Paths, Given, 'options'>;
  /** The full URL alone. */
  readonly url: TypedBuildMore<Paths, Given, 'url'>;
  /** Turns merged options into request options, which know the same answer. */
  readonly parse: <Answer = unknown>(
    options: Options & { readonly [answer]?: Answer },
  ) => TypedRequest<Answer>;
}
