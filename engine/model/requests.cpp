#include "model/requests.hpp"
