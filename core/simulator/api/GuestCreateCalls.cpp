#include "simulator/api/GuestCreation.h"
#include "simulator/api/Routes.h"

static ApiAnswer create(Call &call)
{
    return GuestCreation(call).answer();
}

void calls::addGuestCreate(Routes &routes)
{
    routes.addForGuests("POST /nodes/{node}/{kind}", create);
}
