import { posix } from 'node:path';
import { parse } from 'yaml';

export interface LockedPackage {
  readonly name: string;
  readonly version: string;
  /** It is part of what runs in production or in a browser, and not only of building and testing that. */
  readonly production: boolean;
}

interface LockFile {
  readonly importers: Readonly<Record<string, Importer>>;
  readonly snapshots: Readonly<Record<string, Dependent>>;
}

interface Importer {
  readonly dependencies?: Readonly<Record<string, { readonly version: string }>>;
  readonly optionalDependencies?: Readonly<Record<string, { readonly version: string }>>;
}

interface Dependent {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** What is installed somewhere: the services, and the web client in browsers. */
const isInstalled = (importer: string) => importer === 'web' || importer.startsWith('services/');

/** Every package of a pnpm-lock.yaml of version 9. */
export function lockedPackages(text: string): LockedPackage[] {
  const { importers, snapshots }: LockFile = parse(text);
  const production = new Set<string>();

  /** A version as it is locked: of the registry, under another name, or a folder of the workspace. */
  function follow(name: string, version: string, from: string): void {
    if (version.startsWith('link:')) return followImporter(posix.join(from, version.slice('link:'.length)));
    const key = snapshots[`${name}@${version}`] ? `${name}@${version}` : version;
    if (production.has(key)) return;
    production.add(key);
    const { dependencies, optionalDependencies } = snapshots[key] ?? {};
    for (const [inner, locked] of Object.entries({ ...dependencies, ...optionalDependencies }))
      follow(inner, locked, from);
  }

  const followed = new Set<string>();
  function followImporter(path: string): void {
    if (followed.has(path)) return;
    followed.add(path);
    const { dependencies, optionalDependencies } = importers[path] ?? {};
    for (const [name, { version }] of Object.entries({ ...dependencies, ...optionalDependencies }))
      follow(name, version, path);
  }

  for (const path of Object.keys(importers)) if (isInstalled(path)) followImporter(path);

  // The same version may be locked several times, beside different others.
  const found = new Map<string, LockedPackage>();
  for (const key of Object.keys(snapshots)) {
    const { name, version } = nameAndVersion(key);
    const known = found.get(`${name}@${version}`)?.production ?? false;
    found.set(`${name}@${version}`, { name, version, production: known || production.has(key) });
  }
  return [...found.values()];
}

/** `@scope/name@1.2.3(peer@4.5.6)`. */
function nameAndVersion(key: string): { name: string; version: string } {
  const [plain = ''] = key.split('(', 1);
  const at = plain.lastIndexOf('@');
  return { name: plain.slice(0, at), version: plain.slice(at + 1) };
}
