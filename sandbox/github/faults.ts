import type { Intercept as InterceptBy, LoggedRequest as Logged } from '../faults/handler.ts';
import type { Point } from './routes.ts';

/** A request in the log of the fake GitHub. */
export type LoggedRequest = Logged<Point>;

/** Returns what replaces the normal exchange. Undefined keeps the normal exchange. */
export type Intercept = InterceptBy<Point>;
