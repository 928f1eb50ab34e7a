/** Group 0: everyone in the tenant. It is in no copy. */
export const everyone = 0;
