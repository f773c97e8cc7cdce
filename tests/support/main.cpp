#define BOOST_TEST_MODULE sluice
#include <boost/test/unit_test.hpp>
