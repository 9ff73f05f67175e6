/* The smallest program that uses an installed nvmove. */
#include <nvmove/nvm.h>

int main(void)
{
    nvm_start();
    nvm_free(NVM_ALLOC(bytes, nvm_malloc(10)));
    return 0;
}
