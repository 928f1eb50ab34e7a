import { z } from 'zod';

// Compiling schemas needs `eval`, which the Content-Security-Policy forbids. A schema asks whether it may when it is made, so this
// comes before the first one: it is the first import of what runs first, and lies in the file of the libraries (vite.config.ts).
z.config({ jitless: true });
